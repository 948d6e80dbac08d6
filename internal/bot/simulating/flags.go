package simulating

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// maxBaseline is the most bytes of the file of an earlier simulation.
const maxBaseline = 256 << 20

// A Baseline is the result of an earlier simulation, by conversation.
type Baseline map[string]earlier

// earlier is what a comparison needs of an earlier result.
type earlier struct {
	ConversationID string `json:"conversationId"`
	Kind           string `json:"kind"`
	Sources        []struct {
		ArticleID string `json:"articleId"`
	} `json:"sources"`
}

func (e *earlier) first() string {
	if len(e.Sources) == 0 {
		return ""
	}
	return e.Sources[0].ArticleID
}

// ReadBaseline reads the file with the JSON of an earlier simulation.
func ReadBaseline(name string) (all Baseline, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var result struct {
		Answers []earlier `json:"answers"`
	}
	if err := json.NewDecoder(io.LimitReader(file, maxBaseline)).Decode(&result); err != nil || result.Answers == nil {
		return nil, fmt.Errorf("%s is not the result of a simulation with --json", name)
	}
	all = make(Baseline, len(result.Answers))
	for _, one := range result.Answers {
		all[one.ConversationID] = one
	}
	return all, nil
}

// ParseAge reads an age such as 90d or 12h, of at most ten years.
func ParseAge(text string) (time.Duration, error) {
	const most = 3660
	age, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if n, err = strconv.Atoi(days); n <= most {
			age = time.Duration(n) * 24 * time.Hour
		}
	}
	if err != nil || age <= 0 || age > most*24*time.Hour {
		return 0, errors.New("must be an age such as 90d or 12h")
	}
	return age, nil
}

// ParseLimit reads how many conversations a simulation may read.
func ParseLimit(text string) (int, error) {
	const most = 100_000
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("must be from 1 to %d", most)
	}
	return n, nil
}

// ParseTokens reads how many tokens of the model a simulation may use.
func ParseTokens(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errors.New("must be 0 or more")
	}
	return n, nil
}
