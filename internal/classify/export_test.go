package classify

import "reflect"

// Place makes a type count as one of another package.
func Place(t reflect.Type, pkg string) { typeInfos.Store(t, newTypeInfo(t, pkg)) }
