package dashboard_test

import "strconv"

func numberSamples(w *world) map[string]func() sample {
	const base = "/v1/dashboard/numbers"
	body := func(driver string) string {
		phone := strconv.FormatInt(4930555000000+w.clock.Add(1)%1000000, 10)
		return `{"phone":"` + phone + `","driver":"` + driver + `"}`
	}
	number := func(driver string) string {
		w.t.Helper()
		return base + "/" + w.post(base, body(driver)).want(201).text("id")
	}
	pairing := func() string {
		w.t.Helper()
		path := number("whatsapp") + "/pairing"
		w.post(path, "").want(202)
		return path
	}
	return map[string]func() sample{
		"connectNumber":    func() sample { return sample{base, body("sandbox"), 201} },
		"disconnectNumber": func() sample { return sample{number("sandbox") + "/disconnect", "", 200} },
		"reconnectNumber":  func() sample { return sample{number("sandbox") + "/reconnect", "", 200} },
		"logOutNumber":     func() sample { return sample{number("whatsapp") + "/logout", "", 200} },
		"pairNumber":       func() sample { return sample{number("whatsapp") + "/pairing", `{"by":"code"}`, 202} },
		"getPairing":       func() sample { return sample{pairing(), "", 200} },
		"endPairing":       func() sample { return sample{pairing(), "", 200} },
		"getBudgets":       func() sample { return sample{number("whatsapp") + "/budgets", "", 200} },
		"setBudgets":       func() sample { return sample{number("sandbox") + "/budgets", `{"groupsPerHour":7}`, 200} },
	}
}
