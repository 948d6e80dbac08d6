package dashboard_test

func searchSamples(*world) map[string]func() sample {
	return map[string]func() sample{
		"search": func() sample { return sample{"/v1/dashboard/search?q=ann", "", 200} },
	}
}
