package chatsim

import (
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// invitationLasts is how long a personal invitation to a group is valid.
const invitationLasts = 3 * 24 * time.Hour

// A group is the network's state of a group.
type group struct {
	user     string // of its JID
	name     string
	creator  *account
	created  time.Time
	renamed  time.Time
	members  map[*account]*member
	order    []*member // in the order of joining
	left     map[*account]bool
	adminAdd bool // only admins may add
	announce bool // only admins may write
	locked   bool // only admins may rename
	code     string
	revoked  []string
	private  map[string]invitation // by code
}

type member struct {
	account *account
	admin   bool
	super   bool
}

// An invitation lets one person into a group.
type invitation struct {
	account *account
	expires time.Time
}

// A Group is a snapshot of a group.
type Group struct {
	JID        string
	Name       string
	Creator    string // the phone
	CreatedAt  time.Time
	InviteCode string
	AdminAdds  bool // only admins may add members
	Members    []Member
}

// A Member is a member of a group.
type Member struct {
	Phone string
	Admin bool
	Super bool // created the group, and cannot be demoted
}

// Groups returns all groups, the oldest first.
func (s *Server) Groups() []Group {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Group, 0, len(s.groups))
	for _, g := range s.groups {
		all = append(all, g.view())
	}
	slices.SortFunc(all, func(a, b Group) int {
		if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
			return c
		}
		if a.JID < b.JID {
			return -1
		}
		return 1
	})
	return all
}

// Group returns the group of a JID.
func (s *Server) Group(jid string) (Group, bool) {
	parsed, err := types.ParseJID(jid)
	if err != nil {
		return Group{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[parsed.User]
	if g == nil {
		return Group{}, false
	}
	return g.view(), true
}

func (g *group) view() Group {
	v := Group{
		JID: g.jid().String(), Name: g.name, Creator: g.creator.phone, CreatedAt: g.created.UTC(),
		InviteCode: g.code, AdminAdds: g.adminAdd,
	}
	for _, m := range g.order {
		v.Members = append(v.Members, Member{Phone: m.account.phone, Admin: m.admin, Super: m.super})
	}
	return v
}

func (g *group) jid() types.JID { return types.NewJID(g.user, types.GroupServer) }

// node describes the group to a client.
func (g *group) node() waBinary.Node {
	var children []waBinary.Node
	for _, m := range g.order {
		children = append(children, m.node())
	}
	mode := "all_member_add"
	if g.adminAdd {
		mode = "admin_add"
	}
	children = append(children, leaf("member_add_mode", []byte(mode)))
	if g.announce {
		children = append(children, node("announcement", nil))
	}
	if g.locked {
		children = append(children, node("locked", nil))
	}
	return node("group", waBinary.Attrs{
		"id": g.user, "subject": g.name, "creation": g.created.Unix(), "s_t": g.renamed.Unix(),
		"creator": g.creator.lid(), "creator_pn": g.creator.pn(), "size": len(g.order), "addressing_mode": "lid",
	}, children...)
}

func (m *member) node() waBinary.Node {
	n := m.account.participant()
	switch {
	case m.super:
		n.Attrs["type"] = "superadmin"
	case m.admin:
		n.Attrs["type"] = "admin"
	}
	return n
}

// participant identifies an account in stanzas about a group.
func (a *account) participant() waBinary.Node {
	return node("participant", waBinary.Attrs{"jid": a.lid(), "phone_number": a.pn()})
}

// createGroup creates a group for a device's account, adds the participants
// that can be added, and reports the outcome of each.
func (s *Server) createGroup(d *device, n waBinary.Node) answer {
	name := text(&n, "subject")
	if name == "" || len([]rune(name)) > 100 {
		return refuse(406)
	}
	s.serial++
	now := s.now()
	g := &group{
		user: fmt.Sprintf("120363%012d", s.serial), name: name, creator: d.account, created: now, renamed: now,
		members: map[*account]*member{}, left: map[*account]bool{}, private: map[string]invitation{}, code: inviteCode(),
	}
	for _, child := range n.GetChildren() {
		switch child.Tag {
		case "member_add_mode":
			g.adminAdd = string(content(child)) == "admin_add"
		case "announcement":
			g.announce = true
		case "locked":
			g.locked = true
		}
	}
	g.join(d.account)
	g.members[d.account].admin, g.members[d.account].super = true, true
	s.groups[g.user] = g
	var refused []waBinary.Node
	for _, wanted := range n.GetChildrenByTag("participant") {
		if p := s.add(g, wanted); p.Attrs["error"] != nil {
			refused = append(refused, p)
		}
	}
	for _, m := range g.order {
		s.tell(g, m.account, d.account, node("create", waBinary.Attrs{"type": "new"}, g.node()))
	}
	made := g.node()
	made.Content = append(made.GetChildren(), refused...)
	return reply(made)
}

// inviteCode returns a code for a group's link.
func inviteCode() string { return rand.Text()[:22] }

func (g *group) join(a *account) {
	m := &member{account: a}
	g.members[a], g.order = m, append(g.order, m)
	delete(g.left, a)
}

func (g *group) remove(a *account) {
	delete(g.members, a)
	g.order = slices.DeleteFunc(g.order, func(m *member) bool { return m.account == a })
}

// add adds a participant to a group, or returns the code of a refusal: 403
// (with a personal invitation) and others as set by the account, 404 not on the
// network, 408 has left, 409 already a member, 419 group is full.
func (s *Server) add(g *group, wanted waBinary.Node) waBinary.Node {
	jid := address(&wanted, "jid")
	a := s.find(jid)
	if a == nil {
		return node("participant", waBinary.Attrs{"jid": jid, "error": 404})
	}
	p := a.participant()
	switch {
	case g.members[a] != nil:
		p.Attrs["error"] = 409
	case a.options.Refuse != 0:
		p.Attrs["error"] = a.options.Refuse
	case g.left[a]:
		p.Attrs["error"] = 408
	case len(g.order) >= MaxMembers:
		p.Attrs["error"] = 419
	default:
		g.join(a)
		return p
	}
	if p.Attrs["error"] == 403 {
		code, expires := rand.Text()[:16], s.now().Add(invitationLasts)
		g.private[code] = invitation{account: a, expires: expires}
		p.Content = []waBinary.Node{node("add_request", waBinary.Attrs{"code": code, "expiration": expires.Unix()})}
	}
	return p
}

// tell notifies an account that another account changed a group.
func (s *Server) tell(g *group, to, by *account, change waBinary.Node) {
	for _, d := range to.devices {
		n := s.notification("w:gp2", g.jid(), change)
		n.Attrs["participant"], n.Attrs["participant_pn"] = by.lid(), by.pn()
		n.Attrs["addressing_mode"] = "lid"
		if by.options.Name != "" {
			n.Attrs["notify"] = by.options.Name
		}
		d.deliver(n)
	}
}

// tellAll notifies all members, including the one who made the change.
func (s *Server) tellAll(g *group, by *account, change waBinary.Node) {
	for _, m := range g.order {
		s.tell(g, m.account, by, change)
	}
}
