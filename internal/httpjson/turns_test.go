package httpjson_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// TestTurns starts more reads of one caller than may run, and then reads of
// others.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := httpjson.NewTurns(httpjson.TurnLimits{All: 4, Workspace: 3, Asker: 2, Wait: time.Minute})
		greedy := httpjson.Asker{Workspace: parley.WorkspaceID{1}, Credential: parley.ID{1}}
		neighbour := httpjson.Asker{Workspace: parley.WorkspaceID{1}, Credential: parley.ID{2}}
		third := httpjson.Asker{Workspace: parley.WorkspaceID{1}, Credential: parley.ID{3}}
		stranger := httpjson.Asker{Workspace: parley.WorkspaceID{2}, Credential: parley.ID{4}}

		var guard sync.Mutex // of both maps
		running := map[httpjson.Asker]int{}
		ends := map[httpjson.Asker][]func(){}
		ask := func(who httpjson.Asker) {
			go func() {
				done, err := turns.Take(t.Context(), who)
				if err != nil {
					t.Errorf("take: %v", err)
					return
				}
				guard.Lock()
				defer guard.Unlock()
				running[who]++
				ends[who] = append(ends[who], done)
			}()
			synctest.Wait()
		}
		end := func(who httpjson.Asker) {
			guard.Lock()
			done := ends[who][0]
			ends[who] = ends[who][1:]
			running[who]--
			guard.Unlock()
			done()
			synctest.Wait()
		}
		want := func(when string, counts map[httpjson.Asker]int) {
			t.Helper()
			for _, who := range []httpjson.Asker{greedy, neighbour, third, stranger} {
				if running[who] != counts[who] {
					t.Errorf("%s: %d questions of asker %d run, want %d", when, running[who], who.Credential[0], counts[who])
				}
			}
		}

		for range 12 {
			ask(greedy)
		}
		want("one alone", map[httpjson.Asker]int{greedy: 2})
		ask(neighbour)
		want("another key beside it", map[httpjson.Asker]int{greedy: 2, neighbour: 1})
		ask(third)
		want("a workspace that has all of its turns", map[httpjson.Asker]int{greedy: 2, neighbour: 1})
		ask(stranger)
		want("another workspace", map[httpjson.Asker]int{greedy: 2, neighbour: 1, stranger: 1})
		end(greedy)
		want("who waited longest is next, not who asks most", map[httpjson.Asker]int{greedy: 1, neighbour: 1, third: 1, stranger: 1})
		end(third)
		want("then the first again", map[httpjson.Asker]int{greedy: 2, neighbour: 1, stranger: 1})
		for running[greedy] > 0 {
			end(greedy)
		}
		end(neighbour)
		end(stranger)
		ask(greedy)
		want("all ended", map[httpjson.Asker]int{greedy: 1})
		end(greedy)
	})
}

// TestTurnsGivenUp abandons a waiting read: it leaves no trace, and the next
// ones get their turns.
func TestTurnsGivenUp(t *testing.T) {
	turns := httpjson.NewTurns(httpjson.TurnLimits{All: 1, Workspace: 1, Asker: 1, Wait: time.Minute})
	first := httpjson.Asker{Credential: parley.ID{1}}
	second := httpjson.Asker{Credential: parley.ID{2}}
	done, err := turns.Take(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	for _, who := range []httpjson.Asker{first, second} {
		if _, err := turns.Take(left, who); parley.KindOf(err) != parley.Unavailable {
			t.Errorf("a question that was given up gave %v, want Unavailable", err)
		}
	}
	done()
	done() // a second call has no effect
	for range 3 {
		again, err := turns.Take(t.Context(), second)
		if err != nil {
			t.Fatal(err)
		}
		again()
	}
}
