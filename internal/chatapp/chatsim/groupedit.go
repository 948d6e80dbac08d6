package chatsim

import (
	"slices"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// groupRequest handles requests about a group. The caller holds the lock.
func (s *Server) groupRequest(d *device, n *waBinary.Node, child waBinary.Node) answer {
	to := address(n, "to")
	if to.User == "" {
		return s.groupsRequest(d, n, child)
	}
	g := s.groups[to.User]
	if g == nil {
		return refuse(404)
	}
	if child.Tag == "accept" {
		return s.acceptInvitation(g, d, child)
	}
	if invited, ok := child.GetOptionalChildByTag("add_request"); ok && child.Tag == "query" {
		if code := g.invited(text(&invited, "code"), d.account, s.now().Unix()); code != 0 {
			return refuse(code)
		}
		return reply(g.node())
	}
	m := g.members[d.account]
	if m == nil {
		return refuse(403)
	}
	switch child.Tag {
	case "query":
		return reply(g.node())
	case "invite":
		return g.link(m, text(n, "type") == "set")
	case "add":
		if g.adminAdd && !m.admin {
			return refuse(403)
		}
		return s.addMembers(g, d.account, child)
	case "subject":
		return s.rename(g, m, string(content(child)))
	}
	if !m.admin {
		return refuse(403)
	}
	return s.adminRequest(g, d.account, child)
}

// groupsRequest handles requests that do not name a group.
func (s *Server) groupsRequest(d *device, n *waBinary.Node, child waBinary.Node) answer {
	switch child.Tag {
	case "create":
		return s.createGroup(d, child)
	case "participating":
		list := waBinary.Node{Tag: "groups", Content: []waBinary.Node{}}
		for _, g := range s.groups {
			if g.members[d.account] != nil {
				list.Content = append(list.GetChildren(), g.node())
			}
		}
		return reply(list)
	case "invite":
		return s.useLink(d, text(&child, "code"), text(n, "type") == "set")
	case "leave":
		return s.leaveGroups(d, child)
	}
	return reply()
}

// adminRequest handles requests that only admins may make.
func (s *Server) adminRequest(g *group, by *account, child waBinary.Node) answer {
	switch child.Tag {
	case "remove":
		return s.changeMembers(g, by, child, func(m *member) int {
			if m.super {
				return 405
			}
			return 0
		})
	case "promote":
		return s.changeMembers(g, by, child, func(m *member) int {
			m.admin = true
			return 0
		})
	case "demote":
		return s.changeMembers(g, by, child, func(m *member) int {
			if m.super {
				return 405
			}
			m.admin = false
			return 0
		})
	case "member_add_mode":
		g.adminAdd = string(content(child)) == "admin_add"
	case "announcement", "not_announcement":
		g.announce = child.Tag == "announcement"
	case "locked", "unlocked":
		g.locked = child.Tag == "locked"
	default:
		return reply()
	}
	s.tellAll(g, by, node(child.Tag, waBinary.Attrs{"v_id": "1"}))
	return reply()
}

// addMembers adds participants to an existing group. New members receive the
// whole group, the others receive the new members.
func (s *Server) addMembers(g *group, by *account, n waBinary.Node) answer {
	before := slices.Clone(g.order)
	var results, added []waBinary.Node
	for _, wanted := range n.GetChildrenByTag("participant") {
		p := s.add(g, wanted)
		results = append(results, p)
		if p.Attrs["error"] == nil {
			added = append(added, p)
		}
	}
	s.tellJoined(g, by, before, added, "")
	return reply(node("add", nil, results...))
}

// tellJoined notifies the previous and the new members.
func (s *Server) tellJoined(g *group, by *account, before []*member, added []waBinary.Node, reason string) {
	if len(added) == 0 {
		return
	}
	for _, m := range g.order {
		change := node("add", waBinary.Attrs{"reason": reason}, added...)
		if !slices.Contains(before, m) {
			change = node("create", waBinary.Attrs{"reason": reason}, g.node())
		}
		s.tell(g, m.account, by, change)
	}
}

// changeMembers removes, promotes or demotes members, and returns a code for
// each failure. Only a removal removes members from the group.
func (s *Server) changeMembers(g *group, by *account, n waBinary.Node, change func(*member) int) answer {
	told := slices.Clone(g.order)
	var results, changed []waBinary.Node
	for _, wanted := range n.GetChildrenByTag("participant") {
		jid := address(&wanted, "jid")
		a := s.find(jid)
		if a == nil || g.members[a] == nil {
			results = append(results, node("participant", waBinary.Attrs{"jid": jid, "error": 404}))
			continue
		}
		p := a.participant()
		if code := change(g.members[a]); code != 0 {
			p.Attrs["error"] = code
		} else {
			changed = append(changed, p)
			if n.Tag == "remove" {
				g.remove(a)
			}
		}
		results = append(results, p)
	}
	if len(changed) > 0 {
		for _, m := range told {
			s.tell(g, m.account, by, node(n.Tag, nil, changed...))
		}
	}
	return reply(node(n.Tag, nil, results...))
}

// link returns the code of the group's link to an admin, and a new code if
// reset is set.
func (g *group) link(m *member, reset bool) answer {
	if !m.admin {
		return refuse(401)
	}
	if reset {
		g.revoked = append(g.revoked, g.code)
		g.code = inviteCode()
	}
	return reply(node("invite", waBinary.Attrs{"code": g.code}))
}

// useLink returns the group of a link, or adds the person to it.
func (s *Server) useLink(d *device, code string, join bool) answer {
	for _, g := range s.groups {
		switch {
		case slices.Contains(g.revoked, code):
			return refuse(410)
		case g.code != code:
			continue
		case !join:
			return reply(g.node())
		}
		if !s.comeIn(g, d.account, "invite") {
			return refuse(419)
		}
		return reply(node("group", waBinary.Attrs{"jid": g.jid()}))
	}
	return refuse(406)
}

// comeIn adds an invited person and reports whether the group had space.
func (s *Server) comeIn(g *group, a *account, reason string) bool {
	if g.members[a] != nil {
		return true
	}
	if len(g.order) >= MaxMembers {
		return false
	}
	before := slices.Clone(g.order)
	g.join(a)
	s.tellJoined(g, a, before, []waBinary.Node{a.participant()}, reason)
	return true
}

// invited returns 0 if the code is a personal invitation for the account, else
// the code of the refusal.
func (g *group) invited(code string, a *account, now int64) int {
	invitation, ok := g.private[code]
	switch {
	case !ok || invitation.account != a:
		return 406
	case invitation.expires.Unix() <= now:
		return 410
	}
	return 0
}

func (s *Server) acceptInvitation(g *group, d *device, n waBinary.Node) answer {
	code := text(&n, "code")
	if refusal := g.invited(code, d.account, s.now().Unix()); refusal != 0 {
		return refuse(refusal)
	}
	if !s.comeIn(g, d.account, "invite") {
		return refuse(419)
	}
	delete(g.private, code)
	return reply(node("group", waBinary.Attrs{"jid": g.jid()}))
}

// leaveGroups removes the person from groups. If the last admin leaves, the
// group has none.
func (s *Server) leaveGroups(d *device, n waBinary.Node) answer {
	a := d.account
	for _, asked := range n.GetChildrenByTag("group") {
		id, _ := asked.Attrs["id"].(types.JID)
		g := s.groups[id.User]
		if g == nil || g.members[a] == nil {
			return refuse(404)
		}
		told := slices.Clone(g.order)
		g.remove(a)
		g.left[a] = true
		for _, m := range told {
			s.tell(g, m.account, a, node("remove", nil, a.participant()))
		}
	}
	return reply(node("leave", nil, n.GetChildren()...))
}

func (s *Server) rename(g *group, m *member, name string) answer {
	switch {
	case g.locked && !m.admin:
		return refuse(403)
	case name == "" || len([]rune(name)) > 100:
		return refuse(406)
	}
	g.name, g.renamed = name, s.now()
	s.tellAll(g, m.account, node("subject", waBinary.Attrs{
		"subject": name, "s_t": g.renamed.Unix(), "s_o": m.account.lid(), "s_o_pn": m.account.pn(),
	}))
	return reply()
}
