package admission_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access/admission"
)

func member(role parley.Role) *parley.Member {
	return &parley.Member{ID: "usr_1", Email: "ann@home.example", Role: role}
}

func removed(m *parley.Member) *parley.Member {
	m.RemovedAt = time.Unix(1, 0)
	return m
}

// TestDecide is the table of who gets in, as whom.
func TestDecide(t *testing.T) {
	open := admission.Policy{}
	grouped := admission.Policy{Groups: map[string]parley.Role{"support": parley.Agent, "leads": parley.Admin}}
	joining := admission.Policy{JoinRole: parley.Agent, Domains: []string{"home.example", "Second.example"}}
	both := admission.Policy{Groups: grouped.Groups, JoinRole: parley.Agent, Domains: joining.Domains}
	broken := admission.Policy{Groups: map[string]parley.Role{"bosses": parley.Owner}} // as no check lets it be
	who := func(email string, groups ...string) admission.Person {
		return admission.Person{Email: email, EmailVerified: true, Groups: groups}
	}
	unverified := admission.Person{Email: "ann@home.example", Groups: []string{"support"}}
	ann := "ann@home.example"
	for name, row := range map[string]struct {
		policy admission.Policy
		who    admission.Person
		known  admission.Known
		want   admission.Outcome // the member is only told from nil
		member bool
	}{
		"bound":                             {open, who(""), admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Role: parley.Agent}, true},
		"bound, address unverified by now":  {open, unverified, admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Role: parley.Agent}, true},
		"bound, removed":                    {open, who(ann), admission.Known{Bound: removed(member(parley.Agent))}, admission.Outcome{Refused: admission.NotMember}, true},
		"bound, removed owner":              {grouped, who(ann, "leads"), admission.Known{Bound: removed(member(parley.Owner))}, admission.Outcome{Refused: admission.NotMember}, true},
		"bound, raised by a group":          {grouped, who(ann, "leads"), admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Role: parley.Admin}, true},
		"bound, lowered by a group":         {grouped, who(ann, "support"), admission.Known{Bound: member(parley.Admin)}, admission.Outcome{Role: parley.Agent}, true},
		"bound, the highest of two":         {grouped, who(ann, "support", "leads", "other"), admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Role: parley.Admin}, true},
		"bound, the highest of two, turned": {grouped, who(ann, "leads", "support"), admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Role: parley.Admin}, true},
		"bound, in no group":                {grouped, who(ann), admission.Known{Bound: member(parley.Admin)}, admission.Outcome{Refused: admission.NoGroup, EndSessions: true}, true},
		"bound, in another group":           {grouped, who(ann, "Support", "support "), admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Refused: admission.NoGroup, EndSessions: true}, true},
		"owner in no group":                 {grouped, who(ann), admission.Known{Bound: member(parley.Owner)}, admission.Outcome{Role: parley.Owner}, true},
		"owner in a lower group":            {grouped, who(ann, "support"), admission.Known{Bound: member(parley.Owner)}, admission.Outcome{Role: parley.Owner}, true},
		"a group of owners":                 {broken, who(ann, "bosses"), admission.Known{Bound: member(parley.Agent)}, admission.Outcome{Refused: admission.NoGroup, EndSessions: true}, true},

		"first time":                            {open, who(ann), admission.Known{ByEmail: member(parley.Agent)}, admission.Outcome{Bind: true, Role: parley.Agent}, true},
		"first time, by a group":                {grouped, who(ann, "leads"), admission.Known{ByEmail: member(parley.Agent)}, admission.Outcome{Bind: true, Role: parley.Admin}, true},
		"first time, in no group":               {grouped, who(ann), admission.Known{ByEmail: member(parley.Agent)}, admission.Outcome{Refused: admission.NoGroup}, true},
		"first time, owner":                     {both, who(ann, "leads"), admission.Known{ByEmail: member(parley.Owner)}, admission.Outcome{Refused: admission.Unbound}, true},
		"first time, unverified":                {open, unverified, admission.Known{ByEmail: member(parley.Agent)}, admission.Outcome{Refused: admission.Unverified}, false},
		"first time, no address":                {open, who(""), admission.Known{}, admission.Outcome{Refused: admission.Unverified}, false},
		"first time, removed":                   {both, who(ann, "leads"), admission.Known{ByEmail: removed(member(parley.Agent))}, admission.Outcome{Refused: admission.NotMember}, false},
		"same address, another subject":         {open, who(ann), admission.Known{ByEmail: member(parley.Agent), Taken: true}, admission.Outcome{Refused: admission.Taken}, true},
		"same address, another subject, joins":  {both, who(ann, "leads"), admission.Known{ByEmail: member(parley.Agent), Taken: true}, admission.Outcome{Refused: admission.Taken}, true},
		"bound, with the address of another":    {open, who(ann), admission.Known{Bound: member(parley.Agent), ByEmail: member(parley.Owner)}, admission.Outcome{Role: parley.Agent}, true},
		"bound, removed, with another's":        {both, who(ann, "leads"), admission.Known{Bound: removed(member(parley.Agent)), ByEmail: member(parley.Owner)}, admission.Outcome{Refused: admission.NotMember}, true},
		"unknown":                               {open, who(ann), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
		"unknown, in a group":                   {grouped, who(ann, "leads"), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
		"joins":                                 {joining, who(ann), admission.Known{}, admission.Outcome{Bind: true, Role: parley.Agent}, false},
		"joins by another spelling":             {joining, who("Bo@SECOND.Example"), admission.Known{}, admission.Outcome{Bind: true, Role: parley.Agent}, false},
		"nobody joins":                          {admission.Policy{Domains: joining.Domains}, who(ann), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
		"joins with a sign in the name":         {joining, who(`"a@b"@home.example`), admission.Known{}, admission.Outcome{Bind: true, Role: parley.Agent}, false},
		"joins by a group":                      {both, who(ann, "leads"), admission.Known{}, admission.Outcome{Bind: true, Role: parley.Admin}, false},
		"joins in no group":                     {both, who(ann), admission.Known{}, admission.Outcome{Refused: admission.NoGroup}, false},
		"joins unverified":                      {joining, unverified, admission.Known{}, admission.Outcome{Refused: admission.Unverified}, false},
		"joins of another domain":               {joining, who("ann@other.example"), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
		"joins of a domain below":               {joining, who("ann@a.home.example"), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
		"joins of a domain that ends alike":     {joining, who("ann@nothome.example"), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
		"joins with the domain before the sign": {joining, who(`"x@home.example"@other.example`), admission.Known{}, admission.Outcome{Refused: admission.NotMember}, false},
	} {
		got := row.policy.Decide(row.who, row.known)
		if (got.Member != nil) != row.member {
			t.Errorf("%s: the member is %+v", name, got.Member)
		}
		if row.known.Bound != nil && got.Member != row.known.Bound {
			t.Errorf("%s: the binding moved", name)
		}
		got.Member = nil
		if got != row.want {
			t.Errorf("%s: %+v, want %+v", name, got, row.want)
		}
	}
}

// TestCheck refuses settings by their fields.
func TestCheck(t *testing.T) {
	many := map[string]parley.Role{}
	for range 101 {
		many[strings.Repeat("a", len(many)+1)] = parley.Agent
	}
	for name, row := range map[string]struct {
		policy admission.Policy
		field  string
	}{
		"nothing":         {admission.Policy{}, ""},
		"all":             {admission.Policy{Groups: map[string]parley.Role{"a": parley.Admin, "b": parley.Agent}, JoinRole: parley.Admin, Domains: []string{"home.example"}}, ""},
		"owners by group": {admission.Policy{Groups: map[string]parley.Role{"a": parley.Owner}}, "groups"},
		"no role":         {admission.Policy{Groups: map[string]parley.Role{"a": ""}}, "groups"},
		"blank group":     {admission.Policy{Groups: map[string]parley.Role{" ": parley.Agent}}, "groups"},
		"long group":      {admission.Policy{Groups: map[string]parley.Role{strings.Repeat("ü", 256): parley.Agent}}, "groups"},
		"many groups":     {admission.Policy{Groups: many}, "groups"},
		"owners join":     {admission.Policy{JoinRole: parley.Owner, Domains: []string{"home.example"}}, "joinRole"},
		"anybody joins":   {admission.Policy{JoinRole: parley.Agent}, "joinDomains"},
		"no domain":       {admission.Policy{JoinRole: parley.Agent, Domains: []string{""}}, "joinDomains"},
		"address":         {admission.Policy{JoinRole: parley.Agent, Domains: []string{"a@home.example"}}, "joinDomains"},
		"many domains":    {admission.Policy{JoinRole: parley.Agent, Domains: slices.Repeat([]string{"home.example"}, 51)}, "joinDomains"},
	} {
		faults := row.policy.Check()
		switch {
		case row.field == "" && len(faults) > 0:
			t.Errorf("%s: %v", name, faults)
		case row.field != "" && (len(faults) != 1 || faults[0].Field != row.field):
			t.Errorf("%s: %v, want one of %s", name, faults, row.field)
		}
	}
}
