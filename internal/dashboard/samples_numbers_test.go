package dashboard_test

import (
	"strconv"

	"parley/internal/apitest"
)

func numberSamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/numbers"
	body := func(driver string) string {
		phone := strconv.FormatInt(4930555000000+w.Tick()%1000000, 10)
		return `{"phone":"` + phone + `","driver":"` + driver + `"}`
	}
	number := func(driver string) string {
		w.T.Helper()
		return base + "/" + w.Post(base, body(driver)).Want(201).Text("id")
	}
	pairing := func() string {
		w.T.Helper()
		path := number("whatsapp") + "/pairing"
		w.Post(path, "").Want(202)
		return path
	}
	return map[string]func() apitest.Sample{
		"connectNumber":    func() apitest.Sample { return apitest.NewSample(base, body("sandbox"), 201) },
		"disconnectNumber": func() apitest.Sample { return apitest.NewSample(number("sandbox")+"/disconnect", "", 200) },
		"reconnectNumber":  func() apitest.Sample { return apitest.NewSample(number("sandbox")+"/reconnect", "", 200) },
		"logOutNumber":     func() apitest.Sample { return apitest.NewSample(number("whatsapp")+"/logout", "", 200) },
		"pairNumber":       func() apitest.Sample { return apitest.NewSample(number("whatsapp")+"/pairing", `{"by":"code"}`, 202) },
		"getPairing":       func() apitest.Sample { return apitest.NewSample(pairing(), "", 200) },
		"endPairing":       func() apitest.Sample { return apitest.NewSample(pairing(), "", 200) },
		"getBudgets":       func() apitest.Sample { return apitest.NewSample(number("whatsapp")+"/budgets", "", 200) },
		"setBudgets": func() apitest.Sample {
			return apitest.NewSample(number("sandbox")+"/budgets", `{"groupsPerHour":7}`, 200)
		},
	}
}
