package dashboard_test

func settingSamples(*world) map[string]func() sample { return nil }
