package dashboard_test

func reportSamples(*world) map[string]func() sample {
	return map[string]func() sample{
		"getReport":    func() sample { return sample{path: "/v1/dashboard/reports", status: 200} },
		"getReportCsv": func() sample { return sample{path: "/v1/dashboard/reports.csv?by=member", status: 200} },
	}
}
