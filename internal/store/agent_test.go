package store_test

import (
	"errors"

	"parley"
	"parley/internal/bot"
	"parley/internal/desk"
	"parley/internal/store"
)

// agency is what a world has of the automated agent, beside what its product,
// conversation and message say.
type agency struct {
	job   desk.AgentJob
	count bot.Count
}

func newAgency(w *world, text string, full bool) agency {
	a := agency{
		job:   desk.AgentJob{ConversationID: w.conversation.ID, MessageID: w.message.ID, FirstAt: at(100), DueAt: at(101), Owner: text},
		count: bot.Count{Product: w.product.ID, What: text, Count: 2},
	}
	if full {
		a.job.Attempts, a.job.Restarted = 1<<20, true
		w.product.Agent, w.message.Agent = parley.AgentMode(text), parley.AgentRecord(text)
		w.conversation.Product.Agent = w.product.Agent
		w.conversation.Agent = parley.AgentPart{State: parley.AgentHandedOver, Reason: parley.HandOverReason(text)}
	}
	return a
}

func (a *agency) insert(tx *store.Tx, w *world) error {
	ws := w.ws
	return errors.Join(tx.UpdateProduct(ws, &w.product), desk.InsertAgentJob(tx, ws, &a.job),
		desk.CountAgent(tx, ws, a.count.Product, at(0), a.count.What), desk.CountAgent(tx, ws, a.count.Product, at(0), a.count.What))
}

// agentReads are the rows of reads about the automated agent.
func agentReads(w *world) map[string]read {
	a := &w.agency
	return map[string]read{
		"AgentJob": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectAgentJob(v, ws, w.conversation.ID)
		}, a.job},
		"DueJobs": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return bot.SelectDueJobs(v, ws, a.job.DueAt, a.job.DueAt, 9)
		}, []desk.AgentJob{a.job}},
		"Counts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return bot.SelectCounts(v, ws, 0)
		}, []bot.Count{a.count}},
	}
}

// like is [world.like] for the automated agent.
func (a *agency) like(of *agency, c *world) {
	*a = *of
	a.job.FirstAt, a.job.DueAt, a.job.Attempts, a.job.Restarted, a.job.Owner = at(102), at(103), 7, false, odd
	c.message.Agent = odd
}

// update gives the records of the world the values of a.
func (a *agency) update(tx *store.Tx, c *world) error {
	return errors.Join(desk.UpdateAgentJob(tx, c.ws, &a.job), bot.UpdateMessageAgent(tx, c.ws, &c.message))
}

func (a *agency) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	return desk.DeleteAgentJob(tx, ws, a.job.ConversationID)
}
