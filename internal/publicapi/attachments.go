package publicapi

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// uploadsAtOnce is how many files one key or session may upload at a time; each
// may take ten minutes.
const uploadsAtOnce = 20

// uploadAttachment stores a file for a later message. The body is stored while
// it arrives, so nothing of it is checked before.
func (a *API) uploadAttachment(c *call) (httpjson.Reply, error) {
	leave, err := a.arriving.Enter(c.credential.ID, uploadsAtOnce)
	if err != nil {
		return httpjson.Reply{}, err
	}
	defer leave()
	file := c.ReadUpload(c.Writer)
	c.Files = true
	return do(c, func(made parley.Attachment) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendAttachment(nil, &made, wire.Signer{}))
	}, func(ctx context.Context, by desk.Caller) (parley.Attachment, error) {
		return a.desk.Attachments().Upload(ctx, by, desk.NewUpload{FileName: file.FileName, ContentType: file.ContentType, Content: file.Content})
	})
}

func (a *API) getAttachment(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(found parley.Attachment) []byte {
		return wire.AppendAttachment(nil, &found, a.desk.Attachments().FileSigner(c.ws))
	}, a.desk.Attachments().Attachment(c.visibility(), id))
}
