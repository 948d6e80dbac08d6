package store_test

import (
	"errors"

	"parley"
	"parley/internal/bot"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/store"
)

// agency is what a world has of the automated agent, beside what its product,
// conversation and message say.
type agency struct {
	job    desk.AgentJob
	result results.Result
	count  results.Count
}

func newAgency(w *world, text string, full bool) agency {
	a := agency{
		job:    desk.AgentJob{ConversationID: w.conversation.ID, MessageID: w.message.ID, FirstAt: at(100), DueAt: at(101), Owner: text},
		result: results.Result{ConversationID: w.conversation.ID, ProductID: w.product.ID, Day: 7, Result: parley.AgentResult(text), Reason: parley.HandOverReason(text)},
	}
	a.count = results.Count{ProductID: w.product.ID, Day: a.result.Day, Result: a.result.Result, Reason: a.result.Reason, Count: 3}
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
		results.PutResult(tx, ws, &a.result), results.AddCount(tx, ws, &a.result, 1), results.AddCount(tx, ws, &a.result, 2))
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
		"Result": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return results.SelectResults(v, ws, []parley.ID{w.conversation.ID})
		}, []results.Result{a.result}},
		"Counts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return results.SelectCounts(v, ws, 7, 7)
		}, []results.Count{a.count}},
	}
}

// like is [world.like] for the automated agent.
func (a *agency) like(of *agency, c *world) {
	*a = *of
	a.job.FirstAt, a.job.DueAt, a.job.Attempts, a.job.Restarted, a.job.Owner = at(102), at(103), 7, false, odd
	a.result.Day, a.result.Result, a.result.Reason = 8, odd, odd
	c.message.Agent = odd
}

// update gives the records of the world the values of a.
func (a *agency) update(tx *store.Tx, c *world) error {
	return errors.Join(desk.UpdateAgentJob(tx, c.ws, &a.job), bot.UpdateMessageAgent(tx, c.ws, &c.message), results.PutResult(tx, c.ws, &a.result))
}

func (a *agency) remove(tx *store.Tx, ws parley.WorkspaceID) error {
	return desk.DeleteAgentJob(tx, ws, a.job.ConversationID)
}
