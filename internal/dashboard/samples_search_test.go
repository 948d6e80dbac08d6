package dashboard_test

import "parley/internal/apitest"

func searchSamples(*world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"search": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/search?q=ann", "", 200) },
	}
}
