package wire

import (
	"strconv"
	"time"

	"parley"
)

// AppendReport appends a report.
func AppendReport(b []byte, r *parley.Report) []byte {
	o := open(b)
	o.text("from", r.From.String())
	o.text("to", r.To.String())
	o.text("by", string(r.By))
	list(&o, "rows", r.Rows, appendReportRow)
	o.name("total")
	o.b = appendReportRow(o.b, &r.Total)
	return o.close()
}

func appendReportRow(b []byte, row *parley.ReportRow) []byte {
	o := open(b)
	o.text("key", row.Key)
	o.text("label", row.Label)
	o.integer("opened", int64(row.Opened))
	o.integer("resolved", int64(row.Resolutions.Count()))
	o.distribution("firstResponse", &row.FirstResponses)
	o.distribution("resolution", &row.Resolutions)
	return o.close()
}

func (o *object) distribution(name string, times *parley.Durations) {
	member := o.object(name)
	member.integer("count", int64(times.Count()))
	member.quantile("medianSeconds", times, 0.5)
	member.quantile("p90Seconds", times, 0.9)
	o.put(member)
}

// quantile writes seconds, null if there are none.
func (o *object) quantile(name string, times *parley.Durations, q float64) {
	length, ok := times.Quantile(q)
	if !ok {
		o.null(name)
		return
	}
	o.name(name)
	o.b = appendSeconds(o.b, length)
}

// appendSeconds appends a duration in seconds.
func appendSeconds(b []byte, length time.Duration) []byte {
	return strconv.AppendFloat(b, float64(length)/float64(time.Second), 'f', -1, 64)
}
