package dashboard_test

import "strings"

func documentSamples() map[string]func() sample {
	return map[string]func() sample{
		"getDashboardOpenapiJson": func() sample { return sample{"/v1/dashboard/openapi.json", "", 200} },
		"getDashboardOpenapiYaml": func() sample { return sample{"/v1/dashboard/openapi.yaml", "", 200} },
	}
}

// withoutStore reports whether an operation answers while the store is away.
func withoutStore(operation string) bool {
	return operation == "setPresence" || strings.HasPrefix(operation, "getDashboardOpenapi")
}
