// Package reports plays public bug reports of people who run MCP servers and agents through this
// library. The file reports.txt says where each was seen, and what is right.
package reports
