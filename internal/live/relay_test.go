package live

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"parley"
)

// TestNodeMessages compares what nodes tell each other with what nodes of other
// versions understand and say.
func TestNodeMessages(t *testing.T) {
	id, _ := parley.ParseID("01a1fb68-2f6a-7000-87d8-89526ae1d0cd")
	signal := Signal{
		Name: "presence", Key: "usr_a", Data: []byte(`{"a":1}`), To: parley.Audience{ContactID: id, InboxID: id}, Member: "usr_b", Stays: 25 * time.Second,
		Places: []parley.Place{{InboxID: id, TeamID: id, AssigneeID: "usr_c"}}, Hidden: []byte(`{}`),
	}
	// The signal is copied field by field, and a field without a value would come
	// back the same if it were forgotten.
	for i, v := 0, reflect.ValueOf(signal); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("the signal has no %s, so nothing tells whether it is carried", v.Type().Field(i).Name)
		}
	}
	for _, row := range []struct {
		message nodeMessage
		text    string
	}{
		{nodeMessage{Node: "a", Changed: []parley.ID{id}}, `{"n":"a","c":["01a1fb68-2f6a-7000-87d8-89526ae1d0cd"]}`},
		{
			nodeMessage{Node: "a", Workspace: id, Signal: packSignal(&signal)},
			`{"n":"a","w":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd","s":{"Name":"presence","Key":"usr_a","Data":"eyJhIjoxfQ==",` +
				`"To":{"ContactID":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd","InboxID":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd"},"Member":"usr_b","Stays":25000000000,` +
				`"Places":[{"InboxID":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd","TeamID":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd","AssigneeID":"usr_c"}],"Hidden":"e30="}}`,
		},
	} {
		text, err := json.Marshal(row.message)
		if err != nil || string(text) != row.text {
			t.Errorf("the message is\n%s, %v\nwant\n%s", text, err, row.text)
		}
		var heard nodeMessage
		if err := json.Unmarshal([]byte(row.text), &heard); err != nil || !reflect.DeepEqual(heard, row.message) {
			t.Errorf("%s is heard as %+v, %v", row.text, heard, err)
		}
		if s := row.message.Signal; s != nil && !reflect.DeepEqual(s.unpack(), signal) {
			t.Errorf("the signal is %+v", s.unpack())
		}
	}
}
