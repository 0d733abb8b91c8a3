package toolerr

// sqliteCode judges a result code of SQLite, extended or primary
// (sqlite.org/rescode.html).
func sqliteCode(n int64) verdict {
	switch n {
	case 1555, 2067, 2579: // PRIMARYKEY, UNIQUE, ROWID
		return vExists
	case 1299: // NOTNULL
		return vMissing
	case 1811: // TRIGGER
		return vPrecondition
	}
	switch n & 0xff {
	case 5, 6, 15, 17: // BUSY, LOCKED, PROTOCOL, SCHEMA
		return vUnavailable
	case 12: // NOTFOUND
		return vNotFound
	case 3, 23: // PERM, AUTH
		return vDenied
	case 8: // READONLY
		return vPrecondition
	case 9, 4: // INTERRUPT, ABORT
		return vCanceled
	case 13, 7, 10: // FULL, NOMEM, IOERR
		return vExhausted
	case 18, 25: // TOOBIG, RANGE
		return vOutOfRange
	case 1, 19, 20, 24, 26: // ERROR, CONSTRAINT, MISMATCH, FORMAT, NOTADB
		return vInvalid
	case 2, 11, 14, 21: // INTERNAL, CORRUPT, CANTOPEN, MISUSE
		return vInternal
	}
	return verdict{}
}

// mysqlCode judges an error number of MySQL and MariaDB (their server error
// reference).
func mysqlCode(n int64) verdict {
	switch n {
	case 1205, 1213, 3572, 1614, 1412, 1615, 1637, 3101, 4031, 8028, 9001, 9002, 9005, 9007: // TiDB's too: lock wait timeout, deadlock, NOWAIT, XA deadlock: rolled back
		return vUnavailable
	case 1040, 1203, 2002, 2003: // too many connections, no connection
		return vUnavailable
	case 1053, 1156, 1158, 1159, 1927, 2006, 2013, 2055, 1160, 1161: // shutdown, killed or lost connection
		return vBroken
	case 3024, 1969: // MAX_EXECUTION_TIME: rolled back
		return vNotSent
	case 1317, 1028: // interrupted
		return vCanceled
	case 1062, 1586, 1022, 1007, 1050, 1061, 1826: // duplicate entry, database, table, key
		return vExists
	case 1048, 1364: // a column without a value
		return vMissing
	case 1071, 1153, 1264, 1406, 1690, 1265, 1441: // out of range, too long
		return vOutOfRange
	case 1008, 1049, 1146, 1051, 1091, 1032, 1305: // unknown database, table, key, routine
		return vNotFound
	case 1052, 1055, 1093, 1111, 1222, 1235, 1241, 1242, 1248, 1318, 1365, 1367, 1582, 3141, 3988, 3995, 1054, 1064, 1149, 1366, 1292, 1411, 1216, 1452, 3819, 4025, 1136, 1210, 1109, 1046, 1065, 3140: // malformed, or a constraint
		return vInvalid
	case 1396, 3730, 1217, 1451, 1644, 1290, 1836, 1792: // row is referenced, SIGNAL, read-only
		return vPrecondition
	case 3118, 3955, 1045, 1698, 1251, 1524, 1820, 1862: // login
		return vUnauthenticated
	case 1418, 1044, 1142, 1143, 1227, 1370, 1410, 1419, 1130, 1129: // rights
		return vDenied
	case 1226: // max_questions and the like
		return vLimit
	case 1021, 1114, 1037, 1038, 1041: // disk, table or memory full
		return vExhausted
	}
	return verdict{}
}

// mssqlCode judges an error number of SQL Server (sys.messages).
func mssqlCode(n int64) verdict {
	switch n {
	case 1205, 1222, 3960, 3935, 41302, 41305, 41325: // deadlock, lock timeout, snapshot conflict
		return vUnavailable
	case 10928, 10929, 40501, 49918, 49919, 49920, 40544: // Azure: throttled
		return vThrottled
	case 40613, 4060, 4221, 615, 17830: // Azure: moving, not available
		return vUnavailable
	case 233, 40143, 40197: // Azure: lost on the way
		return vBroken
	case 2627, 2601, 2714, 1801: // unique, exists
		return vExists
	case 515: // not null
		return vMissing
	case 547, 102, 156, 207, 245, 8114, 8115, 241, 105, 137, 201, 8144, 8178: // constraint, syntax, conversion
		return vInvalid
	case 220, 8152, 2628: // overflow, truncation
		return vOutOfRange
	case 208, 911, 2812, 3701, 15151: // unknown object, database, procedure
		return vNotFound
	case 18456, 18452, 18470, 18486, 18487, 18488: // login
		return vUnauthenticated
	case 229, 230, 262, 297, 300, 916, 15247: // rights
		return vDenied
	case 1105, 9002: // full
		return vExhausted
	case 3906, 3930, 3908: // read-only database, doomed transaction
		return vPrecondition
	}
	if n >= 50000 { // THROW and RAISERROR of the database's own rules
		return vPrecondition
	}
	return verdict{}
}

// mongoCode judges an error code of MongoDB (src/mongo/base/error_codes.yml).
func mongoCode(n int64) verdict {
	switch n {
	case 11000, 11001, 12582, 48, 68, 85, 86: // duplicate key, namespace or index
		return vExists
	case 112, 10107, 13435, 13436, 133, 134, 246, 150, 13388, 234, 46, 24: // conflict, no primary, shutting down
		return vUnavailable
	case 6, 7, 89, 91, 189, 317, 9001, 11600, 11602: // network, shutting down meanwhile
		return vBroken
	case 50, 262, 202: // time limit
		return vTimeout
	case 11601, 237, 290: // interrupted
		return vCanceled
	case 13, 31, 33: // rights
		return vDenied
	case 18, 11, 8000, 391: // login
		return vUnauthenticated
	case 26, 27, 43, 47, 59, 61, 73, 53: // not found
		return vNotFound
	case 5, 115, 166, 323, 31249, 40415, 2, 4, 9, 14, 15, 17, 20, 28, 40, 52, 54, 55, 56, 57, 66, 72, 121, 168, 197, 40323, 40324, 16410, 51091: // malformed
		return vInvalid
	case 10334, 17280, 17419, 17420: // too large
		return vOutOfRange
	case 148, 225, 251, 256, 263, 13297, 40573: // state, transactions
		return vPrecondition
	case 14031, 39: // full
		return vExhausted
	case 462, 12501, 16500: // throttled, Cosmos too
		return vThrottled
	}
	return verdict{}
}

// cassandraCode judges an error code of Cassandra's native protocol.
func cassandraCode(n int64) verdict {
	switch n {
	case 0x1000, 0x1001, 0x1002: // too few replicas, overloaded, bootstrapping
		return vUnavailable
	case 0x1100, 0x1500: // write timed out, failed
		return vTimeout
	case 0x1200, 0x1300: // read timed out, failed
		return vNotSent
	case 0x0100:
		return vUnauthenticated
	case 0x2100:
		return vDenied
	case 0x2000, 0x2200, 0x2300, 0x000A:
		return vInvalid
	case 0x2400:
		return vExists
	case 0x2500: // unprepared: the driver prepares it again
		return vUnavailable
	}
	return verdict{}
}

// clickHouseCode judges an error code of ClickHouse (src/Common/ErrorCodes.cpp).
func clickHouseCode(n int64) verdict {
	switch n {
	case 159, 160: // timeout, too slow
		return vTimeout
	case 202, 203, 252, 241, 242, 285: // too many queries or parts, memory, read-only replica
		return vUnavailable
	case 209, 210, 32, 279: // network
		return vBroken
	case 394: // cancelled
		return vCanceled
	case 192, 193, 194, 516: // login
		return vUnauthenticated
	case 164, 291, 482, 497: // rights
		return vDenied
	case 60, 81, 16, 47, 10, 599: // unknown table, database, column
		return vNotFound
	case 57, 82, 44, 504: // exists
		return vExists
	case 403, 407, 440, 6, 26, 27, 36, 38, 41, 42, 43, 46, 53, 62, 70, 72, 117, 386: // malformed
		return vInvalid
	case 201: // quota
		return vLimit
	case 243: // disk full
		return vExhausted
	}
	return verdict{}
}

// oracleCode judges an error number of Oracle (ORA-).
func oracleCode(n int64) verdict {
	switch {
	case n >= 900 && n <= 936 && n != 921, n == 1722, n == 2290, n == 2291: // syntax, number, check, parent
		return vInvalid
	case n >= 20000 && n <= 20999: // RAISE_APPLICATION_ERROR
		return vPrecondition
	}
	switch n {
	case 1, 955: // unique, name in use
		return vExists
	case 54, 60, 8177, 30006, 12541: // busy, deadlock, serialization, no listener
		return vUnavailable
	case 3113, 3114: // connection lost
		return vBroken
	case 942, 1403:
		return vNotFound
	case 1400:
		return vMissing
	case 12899, 1438:
		return vOutOfRange
	case 2292: // child record
		return vPrecondition
	case 1017, 28000:
		return vUnauthenticated
	case 1031:
		return vDenied
	case 1013:
		return vCanceled
	case 1653:
		return vExhausted
	}
	return verdict{}
}
