resource "null_resource" "web" {
  count = 2
}
