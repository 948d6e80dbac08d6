package wire

import "parley"

// AppendBulkJob appends a job that changes many conversations.
func AppendBulkJob(b []byte, j *parley.BulkJob) []byte {
	o := open(b)
	o.id("id", j.ID)
	o.text("memberId", string(j.Member))
	o.text("action", string(j.Action))
	o.idOrNull("undoes", j.Undoes)
	o.text("state", string(j.State))
	o.integer("total", int64(j.Total))
	o.integer("changed", int64(j.Changed))
	o.integer("skipped", int64(j.Skipped()))
	o.integer("failed", int64(j.Failed()))
	reasons := o.object("reasons")
	for _, reason := range parley.BulkReasons {
		reasons.integer(string(reason), int64(j.Reasons[reason]))
	}
	o.put(reasons)
	o.time("createdAt", j.CreatedAt)
	o.timeOrNull("endedAt", j.EndedAt)
	return o.close()
}
