package dashboard

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"parley"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func auditRoutes() []Route {
	const admin = parley.Admin
	return []Route{
		{"listAudit", methodGet, base + "audit", admin, false, listAudit},
		{"listAuditActors", methodGet, base + "audit/actors", admin, false, listAuditActors},
		{"exportAuditCsv", methodGet, base + "audit.csv", admin, false, exportAuditCSV},
		{"exportAuditNdjson", methodGet, base + "audit.ndjson", admin, false, exportAuditNDJSON},
	}
}

// auditFilter reads the filter of all three operations.
func (c *call) auditFilter() audit.Filter {
	f := audit.Filter{
		Action: httpjson.QueryOneOf(c.Reader, "action", entry.Actions),
		From:   c.QueryTime("from"), To: c.QueryTime("to"),
	}
	switch actor := c.QueryText("actor", parley.MaxName, false); entry.Actor(actor) {
	case entry.Operator, entry.Server:
		f.ActorType = entry.Actor(actor)
	default:
		f.ActorID = actor
	}
	return f
}

func listAudit(d *Dashboard, c *call) (httpjson.Reply, error) {
	f := c.auditFilter()
	limit := c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit)
	list := httpjson.List{Workspace: c.ws(), Name: auditList(&f)}
	after := c.QueryCursor("cursor", list)
	return get(c, func(p parley.Page[entry.Entry]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, list.Cursor(p.Next), wire.AppendAuditEntry)
	}, d.audit.Entries(c.ws(), f, after, limit))
}

func listAuditActors(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(all []audit.KnownActor) []byte {
		return wire.AppendData(nil, all, func(b []byte, a *audit.KnownActor) []byte {
			return wire.AppendAuditKnownActor(b, a.Type, a.ID, a.Name, a.Former)
		})
	}, d.audit.Actors(c.ws()))
}

// auditList names the list with its filters, for its cursors.
func auditList(f *audit.Filter) string {
	return fmt.Sprintf("audit %q %q %q %d %d", f.Action, f.ActorType, f.ActorID, f.From.UnixMilli(), f.To.UnixMilli())
}

func exportAuditCSV(d *Dashboard, c *call) (httpjson.Reply, error) {
	head := csvLines(wire.AuditColumns)
	return exportAudit(d, c, audit.CSV, "text/csv; charset=utf-8; header=present", head, func(b []byte, e *entry.Entry) []byte {
		cells := wire.AuditCells(e)
		for i := range cells {
			cells[i] = csvText(cells[i])
		}
		return append(b, csvLines(cells)...)
	})
}

// csvLines is one line of a table (RFC 4180).
func csvLines(cells []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	_ = w.Write(cells) // a buffer takes everything
	w.Flush()
	return b.Bytes()
}

func exportAuditNDJSON(d *Dashboard, c *call) (httpjson.Reply, error) {
	return exportAudit(d, c, audit.NDJSON, "application/x-ndjson", nil, func(b []byte, e *entry.Entry) []byte {
		return append(wire.AppendAuditEntry(b, e), '\n')
	})
}

// exportAudit answers with all entries of a filter, page by page. HEAD exports nothing.
func exportAudit(d *Dashboard, c *call, format audit.Format, contentType string, head []byte, line func([]byte, *entry.Entry) []byte) (httpjson.Reply, error) {
	f := c.auditFilter()
	reply := httpjson.OK(head)
	reply.Header = http.Header{
		"Content-Type":        {contentType},
		"Content-Disposition": {`attachment; filename="audit-log-` + d.clock.Now().UTC().Format("2006-01-02") + "." + string(format) + `"`},
	}
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	if c.Request().Method == http.MethodHead {
		return reply, nil
	}
	pages, err := d.audit.Export(c.Context(), c.by(), f, format)
	if err != nil {
		return httpjson.Reply{}, err
	}
	reply.Pieces = pieces(head, pages, line)
	return reply, nil
}

// pieces renders the pages of an export.
func pieces(head []byte, pages iter.Seq2[[]entry.Entry, error], line func([]byte, *entry.Entry) []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if len(head) > 0 && !yield(head, nil) {
			return
		}
		for page, err := range pages {
			piece := []byte(nil)
			for e := range slices.Values(page) {
				piece = line(piece, &e)
			}
			if !yield(piece, err) {
				return
			}
		}
	}
}
