package wire_test

import (
	"parley"
	"parley/internal/wire"
)

// searchShapes are the goldens of what a search finds.
func searchShapes() map[string][]byte {
	message := parley.SearchHit{
		Kind: parley.SearchMessage, ID: id(1), ConversationID: id(2), Title: "Ann <Lee>",
		Snippet: []parley.Segment{{Text: "my <b>"}, {Text: "order", Match: true}, {Text: "…"}},
		Contact: parley.ContactRef{ID: id(3), Name: "Ann <Lee>"}, At: at(1),
	}
	company := parley.SearchHit{Kind: parley.SearchCompany, ID: id(4), Title: "Acme", At: at(2)}
	return map[string][]byte{
		"search_message": wire.AppendSearchHit(nil, &message),
		"search_company": wire.AppendSearchHit(nil, &company),
	}
}
