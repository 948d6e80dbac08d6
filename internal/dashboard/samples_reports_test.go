package dashboard_test

func reportSamples(*world) map[string]func() sample { return nil }
