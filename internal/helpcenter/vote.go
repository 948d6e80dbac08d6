package helpcenter

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley"
	"parley/internal/httpjson"
)

const (
	// votesAMinute is how many votes one network address may give in a minute.
	votesAMinute = 30
	// readersOfAddress is how many readers of a text, and how many of its voters,
	// count on a day from one network address.
	readersOfAddress = 5
	// voteDays is for how many days after a page was rendered its votes are valid: a
	// page may stay open for long.
	voteDays = 7
	// votePurpose keeps signatures of votes from being valid for anything else.
	votePurpose = "help center vote"
	// votedMark ends the address of an article after a vote.
	votedMark = "?voted=yes"
)

// A voter is a hash of what distinguishes a reader of a text, under a key that
// no one knows and that ends with the process.
type voter [16]byte

// readText identifies a text that a reader has read.
type readText struct {
	article  parley.ID
	language parley.Language
}

// firsts count what a reader does for the first time on a day. A name that a
// browser gives itself costs nothing, so an address counts only a few times.
type firsts struct{ reader, address *httpjson.LimiterOf[voter] }

func newFirsts(clock parley.Clock) firsts {
	day := func(quota int) *httpjson.LimiterOf[voter] {
		return httpjson.NewLimiterOf[voter](httpjson.Rate{Quota: quota, Window: 24 * time.Hour}, clock)
	}
	return firsts{day(1), day(readersOfAddress)}
}

// first reports whether a request counts.
func (f firsts) first(s *Site, r *http.Request, text readText) bool {
	address := s.o.Clients.Address(r)
	return f.reader.Spend(s.voter(text, address, " "+r.UserAgent()), 1) == nil && f.address.Spend(s.voter(text, address, ""), 1) == nil
}

// newVotes prepares the limits of votes.
func (s *Site) newVotes() {
	_, _ = rand.Read(s.salt[:]) // it never fails
	s.readers, s.voters = newFirsts(s.o.Clock), newFirsts(s.o.Clock)
	s.voting = httpjson.NewLimiterOf[string](httpjson.Rate{Quota: votesAMinute, Window: time.Minute}, s.o.Clock)
}

// voteAddresses returns the addresses to which the two buttons below a text
// lead. They carry a signature, so that a vote needs a page of this server.
func (s *Site) voteAddresses(v *visit, text *parley.PublishedText) (yes, no string) {
	day := today(s.o.Clock)
	token := strconv.FormatInt(day, 36) + "." + base64.RawURLEncoding.EncodeToString(s.sign(text.ArticleID, text.Language, day))
	base := v.home(v.language) + "/feedback/" + text.Slug + "?text=" + url.QueryEscape(string(text.Language)) + "&token=" + token + "&helped="
	return base + "yes", base + "no"
}

func today(clock parley.Clock) int64 { return clock.Now().Unix() / int64(24*time.Hour/time.Second) }

// statement is what the signature of a vote covers.
func statement(article parley.ID, language parley.Language, day int64) []byte {
	b := append([]byte(nil), article[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(day))
	return append(b, language...)
}

func (s *Site) sign(article parley.ID, language parley.Language, day int64) []byte {
	return s.o.Desk.Base().Vault.Sign(votePurpose, statement(article, language, day))
}

// signed reports whether a token is that of a text on a page of the last days.
func (s *Site) signed(token string, article parley.ID, language parley.Language) bool {
	days, encoded, _ := strings.Cut(token, ".")
	day, err := strconv.ParseInt(days, 36, 64)
	signature, malformed := base64.RawURLEncoding.DecodeString(encoded)
	age := today(s.o.Clock) - day
	return err == nil && malformed == nil && age >= -1 && age <= voteDays &&
		s.o.Desk.Base().Vault.Signed(votePurpose, statement(article, language, day), signature)
}

// vote counts whether an article helped a reader, and leads back to it. A vote
// from another site, without a valid signature, or of a reader who has voted for
// the text on this day is not counted.
func (s *Site) vote(w http.ResponseWriter, r *http.Request, at pageID, slug string) error {
	in := httpjson.NewReader(r)
	helped := httpjson.QueryOneOf(in, "helped", []string{"yes", "no"})
	language, _ := in.Query("text")
	token, _ := in.Query("token")
	if err := in.Err(); err != nil {
		return err
	}
	center, err := s.center(r.Context(), at.center)
	if err != nil {
		return err
	}
	if !slices.Contains(center.Languages, parley.Language(at.language)) {
		return errNoPage
	}
	if err := httpjson.InAMoment(s.voting.Spend(s.o.Clients.Address(r), 1)); err != nil {
		return err
	}
	texts, err := httpjson.InTurn(r.Context(), s.o.Turns, httpjson.Asker{Workspace: center.Workspace}, s.o.Knowledge.PublishedArticle(center.Workspace, center.ProductID, slug).Now)
	if err != nil {
		return err
	}
	text := readText{texts[0].ArticleID, parley.Language(language)}
	if helped == "" || !fromHere(r) || !s.signed(token, text.article, text.language) {
		return parley.Errorf(parley.Forbidden, "the vote is not from a current page of this help center; reload the page")
	}
	if s.voters.first(s, r, text) {
		f := parley.ArticleFeedback{ArticleID: text.article, Language: text.language, Helped: 1}
		if helped == "no" {
			f.Helped, f.NotHelped = 0, 1
		}
		s.o.Recorder.Read(center.Workspace, f)
	}
	h := w.Header()
	h.Set("Location", "/help/"+center.Slug+"/"+at.language+"/"+texts[0].Slug+votedMark+"#vote")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

// voter distinguishes readers by network address and browser. Without a browser
// it is anyone at the address.
func (s *Site) voter(text readText, address, browser string) voter {
	h := sha256.New()
	h.Write(s.salt[:])
	h.Write(text.article[:])
	for _, part := range []string{string(text.language), address, browser} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write([]byte(part))
	}
	return voter(h.Sum(nil)[:len(voter{})])
}

// fromHere reports whether a form was sent from a page of this server. Browsers
// say so in Sec-Fetch-Site or, older ones, in Origin.
func fromHere(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true // no browser; the signature is needed in any case
	}
	from, err := url.Parse(origin)
	return err == nil && from.Host == r.Host
}

// thanked reports whether the reader comes from a vote.
func thanked(r *http.Request) bool {
	in := httpjson.NewReader(r)
	voted, _ := in.Query("voted")
	return voted == "yes"
}

// crawls reports whether a program of a search engine reads.
func crawls(r *http.Request) bool {
	agent := strings.ToLower(r.UserAgent())
	return slices.ContainsFunc([]string{"bot", "crawl", "spider", "slurp"}, func(mark string) bool { return strings.Contains(agent, mark) })
}
