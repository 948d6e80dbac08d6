package dashboard_test

import "parley/internal/apitest"

func reportSamples(*world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"getReport":         func() apitest.Sample { return apitest.Sample{Path: "/v1/dashboard/reports", Status: 200} },
		"getReportCsv":      func() apitest.Sample { return apitest.Sample{Path: "/v1/dashboard/reports.csv?by=member", Status: 200} },
		"getAgentReport":    func() apitest.Sample { return apitest.Sample{Path: "/v1/dashboard/agent-report", Status: 200} },
		"getAgentReportCsv": func() apitest.Sample { return apitest.Sample{Path: "/v1/dashboard/agent-report.csv", Status: 200} },
	}
}
