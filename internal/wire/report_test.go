package wire_test

import (
	"time"

	"parley"
	"parley/internal/wire"
)

// report is a report with a row of times and one without.
func report() []byte {
	r := parley.Report{
		From: 20_000, To: 20_001, By: parley.ByProduct, Total: parley.ReportRow{Label: "Total", Opened: 3},
		Rows: []parley.ReportRow{{Key: id(4).String(), Label: "App", Opened: 2}, {Label: "No product", Opened: 1}},
	}
	for i := range 10 {
		r.Rows[0].FirstResponses.Add(time.Duration(i) * time.Minute)
	}
	r.Rows[0].Resolutions.Add(36 * time.Hour)
	r.Total.FirstResponses, r.Total.Resolutions = r.Rows[0].FirstResponses, r.Rows[0].Resolutions
	return wire.AppendReport(nil, &r)
}
