package dashboard

import "parley"

// settingRoutes manage the settings of a workspace: products and inboxes for
// admins, canned answers for every member.
func settingRoutes() []Route {
	const agent, admin = parley.Agent, parley.Admin
	return []Route{
		{"createProduct", methodPost, base + "products", admin, false, (*Dashboard).createProduct},
		{"updateProduct", methodPatch, base + "products/{id}", admin, false, (*Dashboard).updateProduct},

		{"createInbox", methodPost, base + "inboxes", admin, false, (*Dashboard).createInbox},
		{"updateInbox", methodPatch, base + "inboxes/{id}", admin, false, (*Dashboard).updateInbox},

		{"listCannedAnswers", methodGet, base + "canned-answers", agent, false, (*Dashboard).listCannedAnswers},
		{"createCannedAnswer", methodPost, base + "canned-answers", agent, false, (*Dashboard).createCannedAnswer},
		{"updateCannedAnswer", methodPatch, base + "canned-answers/{id}", agent, false, (*Dashboard).updateCannedAnswer},
		{"deleteCannedAnswer", methodDelete, base + "canned-answers/{id}", agent, false, (*Dashboard).deleteCannedAnswer},

		{"listLabels", methodGet, base + "labels", agent, false, (*Dashboard).listLabels},
		{"createLabel", methodPost, base + "labels", admin, false, (*Dashboard).createLabel},
		{"updateLabel", methodPatch, base + "labels/{name}", admin, false, (*Dashboard).updateLabel},
		{"deleteLabel", methodDelete, base + "labels/{name}", admin, false, (*Dashboard).deleteLabel},
	}
}
