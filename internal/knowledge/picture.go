package knowledge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/media"
	"parley/internal/store"
)

const (
	// PicturesTimer is the kind of the timer that a workspace has while it may have
	// pictures without article.
	PicturesTimer = "expire article pictures"
	// PictureRetention is how long a picture without article is kept: longer than an
	// upload takes.
	PictureRetention = time.Hour
	// purgePicturesBatch is how many pictures one transaction deletes.
	purgePicturesBatch = 100
)

// A PublicPicture is a picture with its workspace.
type PublicPicture struct {
	Workspace parley.WorkspaceID
	parley.ArticlePicture
}

// pictureTypes are the types of pictures that browsers show and that cannot hold
// scripts.
func pictureTypes() []string { return []string{"image/png", "image/jpeg", "image/gif", "image/webp"} }

// AddPicture stores a picture of an article: PNG, JPEG, GIF or WebP, by its
// content, of at most parley.MaxArticlePicture bytes. It is deleted with the
// article. It has no event: the text that shows it does.
//
// The row is inserted before the content is stored, so that a crash leaves no
// content without a row.
func (svc *Service) AddPicture(ctx context.Context, by desk.Caller, article parley.ID, content io.Reader) (parley.ArticlePicture, error) {
	files := svc.base.Files
	if files == nil {
		return parley.ArticlePicture{}, parley.Errorf(parley.Unavailable, "this server keeps no files")
	}
	whole, err := readPicture(content)
	if err != nil {
		return parley.ArticlePicture{}, err
	}
	info := media.Examine(whole[:min(len(whole), media.HeadSize)], "")
	if !slices.Contains(pictureTypes(), info.Type) {
		return parley.ArticlePicture{}, parley.InvalidField("file", "be a picture in PNG, JPEG, GIF or WebP")
	}
	p, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: by.Workspace, Member: by.Member, Role: by.Role}, func(t *desk.Tx) (parley.ArticlePicture, error) {
		p := parley.ArticlePicture{
			ID: t.IDs.New(t.Now), ContentType: info.Type, Size: int64(len(whole)), Width: info.Width, Height: info.Height, CreatedAt: t.Now,
		}
		if err := checkRoom(t, article); err != nil {
			return p, err
		}
		if err := desk.InsertTimer(t, t.WS, PicturesTimer, "", t.Now.Add(PictureRetention)); err != nil {
			return p, err
		}
		return p, InsertArticlePicture(t, t.WS, &p)
	})
	if err != nil {
		return p, err
	}
	if err := files.Put(ctx, by.Workspace, p.ID, bytes.NewReader(whole)); err != nil {
		return p, &parley.Error{Kind: parley.Unavailable, Message: "the file cannot be kept now; try again", RetryAfter: time.Second, Cause: err}
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ArticlePicture, error) {
		p := p // the closure may run more than once
		p.ArticleID = article
		if err := checkRoom(t, article); err != nil { // it may have been deleted meanwhile
			return p, err
		}
		stored, err := UpdateArticlePicture(t, t.WS, &p)
		if err == nil && !stored {
			err = parley.NotFoundf("no such picture in this workspace")
		}
		return p, err
	})
}

func readPicture(content io.Reader) ([]byte, error) {
	whole, err := io.ReadAll(io.LimitReader(content, parley.MaxArticlePicture+1))
	var known *parley.Error
	switch {
	case errors.As(err, &known):
		return nil, err
	case err != nil:
		return nil, parley.InvalidField("body", "arrive as a whole")
	case len(whole) > parley.MaxArticlePicture:
		return nil, parley.FieldErrorf(parley.TooLarge, "file", "must be at most %d bytes", parley.MaxArticlePicture)
	case len(whole) == 0:
		return nil, parley.InvalidField("file", "not be empty")
	}
	return whole, nil
}

// checkRoom checks that an article exists and may get another picture.
func checkRoom(t *desk.Tx, article parley.ID) error {
	if _, err := SelectArticle(t, t.WS, article); err != nil {
		return err
	}
	count, err := CountArticlePictures(t, t.WS, article)
	if err == nil && count >= parley.MaxArticlePictures {
		err = parley.Errorf(parley.Conflict, "the article has %s pictures already", strconv.Itoa(count))
	}
	return err
}

// Pictures returns the pictures of an article, oldest first.
func (svc *Service) Pictures(ws parley.WorkspaceID, article parley.ID) desk.Read[[]parley.ArticlePicture] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.ArticlePicture, error) {
		if _, err := SelectArticle(v, ws, article); err != nil {
			return nil, err
		}
		return SelectArticlePictures(v, ws, article)
	})
}

// A PictureFile is a picture and its content, which the caller must close.
type PictureFile struct {
	PublicPicture
	Content io.ReadSeekCloser
}

// OpenPicture returns a picture of any workspace, because its readers know only
// its id. One whose article was deleted is NotFound.
func (svc *Service) OpenPicture(ctx context.Context, id parley.ID) (PictureFile, error) {
	p, err := desk.View(svc.desk, func(v *store.View) (PublicPicture, error) { return SelectPictureByID(v, id) }).Now(ctx)
	none := parley.NotFoundf("no such picture")
	if parley.KindOf(err) == parley.NotFound || err == nil && svc.base.Files == nil {
		return PictureFile{}, none
	}
	if err != nil {
		return PictureFile{}, err
	}
	content, err := svc.base.Files.Open(ctx, p.Workspace, p.ID)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		err = none
	case err != nil:
		err = &parley.Error{Kind: parley.Unavailable, Message: "the file cannot be read now; try again", RetryAfter: time.Second, Cause: err}
	}
	return PictureFile{p, content}, err
}

// PicturesExpire returns when the next picture without article of the
// transaction's workspace is deleted; zero if there is none.
func PicturesExpire(t *desk.Tx) (time.Time, error) {
	oldest, err := SelectOldestForsakenPicture(t, t.WS)
	if err != nil || oldest.IsZero() {
		return oldest, err
	}
	return oldest.Add(PictureRetention + time.Millisecond), nil
}

// PurgePictures deletes pictures without article: their content, then their rows,
// so that an interruption leaves nothing behind. A picture that cannot be deleted
// keeps its row for the next time.
func (svc *Service) PurgePictures(ctx context.Context, ws parley.WorkspaceID) error {
	files := svc.base.Files
	if files == nil {
		return nil
	}
	for {
		before := svc.base.Clock().Add(-PictureRetention)
		forsaken, err := desk.View(svc.desk, func(v *store.View) ([]parley.ID, error) {
			return SelectForsakenPictures(v, ws, before, purgePicturesBatch)
		}).Now(ctx)
		if err != nil || len(forsaken) == 0 {
			return err
		}
		for _, id := range forsaken {
			if err := files.Delete(ctx, ws, id); err != nil {
				return err
			}
		}
		if _, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
			for _, id := range forsaken {
				if err := DeleteArticlePicture(t, t.WS, id); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, nil
		}); err != nil {
			return err
		}
	}
}
