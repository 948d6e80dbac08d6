package widget

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// uploadAttachment stores a file for a message of the customer. The body is
// stored while it arrives, so nothing of it is checked before.
func (a *API) uploadAttachment(c *call) (httpjson.Reply, error) {
	address := a.clients.Address(c.Request())
	leave, err := a.limits.arriving.Enter(address, uploadsAtOnce)
	if err != nil {
		return httpjson.Reply{}, err
	}
	defer leave()
	file := c.ReadUpload(c.Writer)
	return doOnce(c, func(made parley.Attachment) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendAttachment(nil, &made, wire.Signer{}))
	}, func(ctx context.Context, once *desk.Once) (parley.Attachment, error) {
		return a.desk.Attachments().Upload(ctx, desk.Caller{Workspace: c.session.Workspace, Once: once}, desk.NewUpload{
			FileName: file.FileName, ContentType: file.ContentType, Contact: c.session.ContactID, Visitor: !c.session.Signed(),
			Content: a.meter(c, file.Content),
		})
	})
}
