package dashboard_test

func searchSamples(*world) map[string]func() sample { return nil }
