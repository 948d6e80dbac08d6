package knowledge

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// ArticleText returns the working text of an article in a language.
func (svc *Service) ArticleText(ws parley.WorkspaceID, id TextID) desk.Read[parley.ArticleText] {
	return desk.View(svc.desk, func(v *store.View) (parley.ArticleText, error) {
		return SelectArticleText(v, ws, id.ArticleID, id.Language)
	})
}

// ArticleVersions returns the versions of a text, newest first. A text that does
// not exist is NotFound.
func (svc *Service) ArticleVersions(ws parley.WorkspaceID, id TextID, before parley.Position, limit int) desk.Read[parley.Page[parley.ArticleVersion]] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Page[parley.ArticleVersion], error) {
		if _, err := SelectArticleText(v, ws, id.ArticleID, id.Language); err != nil {
			return parley.Page[parley.ArticleVersion]{}, err
		}
		return SelectArticleVersions(v, ws, id, before, limit)
	})
}

// ArticleVersion returns a version of a text.
func (svc *Service) ArticleVersion(ws parley.WorkspaceID, id TextID, version int64) desk.Read[parley.ArticleVersion] {
	return desk.View(svc.desk, func(v *store.View) (parley.ArticleVersion, error) {
		return SelectArticleVersion(v, ws, id.ArticleID, id.Language, version)
	})
}

// TextChange is a change of the working text of an article. Absent fields stay
// unchanged; a text in a new language needs a title.
type TextChange struct {
	// Version is the version that the change is based on; any other one is a
	// Conflict. For a text in a new language it is 0. Absent: whatever it is.
	Version     parley.Optional[int64]
	Title       parley.Optional[string]
	Description parley.Optional[string]
	Body        parley.Optional[string]
	Keywords    parley.Optional[[]string]
}

// SaveText changes the working text of an article in a language, or adds it.
// The public does not see it before it is published. A change by the author of
// the latest version within parley.VersionMerge after it was begun replaces it,
// unless it was published.
func (svc *Service) SaveText(ctx context.Context, by desk.Caller, id TextID, in TextChange) (parley.ArticleText, error) {
	var c checker
	id.Language = c.language("language", id.Language)
	if err := c.err(); err != nil {
		return parley.ArticleText{}, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ArticleText, error) {
		a, err := articleOf(t, t.WS, id.ArticleID)
		if err != nil {
			return parley.ArticleText{}, err
		}
		text, err := textNow(t, id)
		if err != nil {
			return text, err
		}
		if in.Version.Has() && in.Version.Value != text.Version {
			return text, parley.FieldErrorf(parley.Conflict, "version", "must be %d, the current version of the text", text.Version)
		}
		content := text.Content()
		content.Title, content.Description = in.Title.Or(content.Title), in.Description.Or(content.Description)
		content.Body, content.Keywords = in.Body.Or(content.Body), in.Keywords.Or(content.Keywords)
		return saveContent(t, &a, text, content)
	})
}

// textNow returns the working text of an article, or one with version 0 if the
// article has none in the language.
func textNow(t *desk.Tx, id TextID) (parley.ArticleText, error) {
	text, err := SelectArticleText(t, t.WS, id.ArticleID, id.Language)
	if parley.KindOf(err) == parley.NotFound {
		return parley.ArticleText{ArticleID: id.ArticleID, ArticleHead: parley.ArticleHead{Language: id.Language}}, nil
	}
	return text, err
}

// saveContent makes a content the working text, in place of the version that is
// still open, if there is one. The same content changes nothing.
func saveContent(t *desk.Tx, a *parley.Article, text parley.ArticleText, content parley.ArticleContent) (parley.ArticleText, error) {
	var c checker
	content = c.content(content)
	if err := c.err(); err != nil {
		return text, err
	}
	if text.Version > 0 && sameContent(text.Content(), content) {
		return text, nil
	}
	began, err := replaceOpen(t, TextID{a.ID, text.Language})
	if err != nil {
		return text, err
	}
	return saveVersion(t, a, text, newVersion{content, began})
}

func sameContent(a, b parley.ArticleContent) bool {
	return a.Title == b.Title && a.Description == b.Description && a.Body == b.Body && slices.Equal(a.Keywords, b.Keywords)
}

// saveVersion makes a new version the working text.
func saveVersion(t *desk.Tx, a *parley.Article, text parley.ArticleText, made newVersion) (parley.ArticleText, error) {
	head, err := addVersion(t, a.ID, text.ArticleHead, made)
	if err != nil {
		return text, err
	}
	a.Texts = append(slices.DeleteFunc(a.Texts, func(h parley.ArticleHead) bool { return h.Language == head.Language }), head)
	sortHeads(a.Texts)
	text = parley.ArticleText{ArticleID: a.ID, ArticleHead: head, Body: made.Body, Keywords: made.Keywords}
	return text, announceUpdate(t, a, []string{"texts"})
}

// replaceOpen deletes the latest version of a text if the same author began it a
// moment ago and nobody published it, and returns when it was begun. Else it
// returns the present time.
func replaceOpen(t *desk.Tx, id TextID) (time.Time, error) {
	open, err := SelectOpenVersion(t, t.WS, id, t.Now.Add(-parley.VersionMerge))
	if parley.KindOf(err) == parley.NotFound {
		return t.Now, nil
	}
	if err != nil || open.Author.Type != t.Origin.Actor.Type || open.Author.ID != t.Origin.Actor.ID {
		return t.Now, err
	}
	return open.CreatedAt, DeleteArticleVersion(t, t.WS, id.ArticleID, id.Language, open.Version)
}

// A newVersion is what a new version has, and when it was begun.
type newVersion struct {
	parley.ArticleContent
	began time.Time
}

// addVersion stores a new version of a text and makes it the working text.
func addVersion(t *desk.Tx, article parley.ID, head parley.ArticleHead, made newVersion) (parley.ArticleHead, error) {
	if err := checkLanguages(t, &head); err != nil {
		return head, err
	}
	if head.Version == 0 {
		last, err := SelectDeletedVersion(t, t.WS, article)
		if err != nil {
			return head, err
		}
		head.Version = last
	}
	head.Version++
	head.Title, head.Description, head.UpdatedAt = made.Title, made.Description, t.Now
	if err := PutArticleHead(t, t.WS, article, &head); err != nil {
		return head, err
	}
	version := parley.ArticleVersion{
		ArticleID: article, Language: head.Language, Version: head.Version, ArticleContent: made.ArticleContent, Author: t.Origin.Actor,
		CreatedAt: made.began,
	}
	if err := InsertArticleVersion(t, t.WS, &version); err != nil {
		return head, err
	}
	return head, DeleteOldDrafts(t, t.WS, article, head.Language)
}

// checkLanguages limits the languages of a workspace when a text is new.
func checkLanguages(t *desk.Tx, head *parley.ArticleHead) error {
	if head.Version > 0 {
		return nil
	}
	used, err := SelectLanguageUsed(t, t.WS, head.Language)
	if err != nil || used {
		return err
	}
	count, err := CountLanguages(t, t.WS)
	if err == nil && count >= parley.MaxArticleLanguages {
		err = parley.FieldErrorf(parley.Conflict, "language", "must be one of the %d languages of the workspace's articles", count)
	}
	return err
}

// RestoreVersion makes the content of an earlier version the working text, as a
// new version that replaces none. If the working text has that content already,
// nothing changes.
func (svc *Service) RestoreVersion(ctx context.Context, by desk.Caller, id TextID, version int64) (parley.ArticleText, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ArticleText, error) {
		a, err := articleOf(t, t.WS, id.ArticleID)
		if err != nil {
			return parley.ArticleText{}, err
		}
		text, err := SelectArticleText(t, t.WS, id.ArticleID, id.Language)
		if err != nil {
			return text, err
		}
		earlier, err := SelectArticleVersion(t, t.WS, id.ArticleID, id.Language, version)
		if err != nil {
			return text, err
		}
		if sameContent(text.Content(), earlier.ArticleContent) {
			return text, nil
		}
		return saveVersion(t, &a, text, newVersion{earlier.ArticleContent, t.Now})
	})
}

// DeleteText deletes the text of an article in a language with its versions, and
// returns the article. The last text is a Conflict. Without any published text,
// a published article becomes a draft. A later text of the article in the same
// language gets none of the numbers that its versions had.
func (svc *Service) DeleteText(ctx context.Context, by desk.Caller, id TextID) (parley.Article, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Article, error) {
		a, err := articleOf(t, t.WS, id.ArticleID)
		if err != nil {
			return a, err
		}
		text, err := SelectArticleText(t, t.WS, id.ArticleID, id.Language)
		if err != nil {
			return a, err
		}
		if len(a.Texts) == 1 {
			return a, parley.Errorf(parley.Conflict, "the article has no other text; delete the article instead")
		}
		if err := UpdateDeletedVersion(t, t.WS, id.ArticleID, text.Version); err != nil {
			return a, err
		}
		for _, remove := range []func(store.Writer, parley.WorkspaceID, parley.ID, parley.Language) error{
			DeleteTextVersions, DeleteTextFeedback, DeleteArticleHead,
		} {
			if err := remove(t, t.WS, id.ArticleID, id.Language); err != nil {
				return a, err
			}
		}
		a.Texts = slices.DeleteFunc(a.Texts, func(h parley.ArticleHead) bool { return h.Language == id.Language })
		changed := []string{"texts"}
		if text.PublishedVersion > 0 {
			changed = append(changed, "publishedAt") // of the text; see ChangesPublic
		}
		if a.State == parley.ArticlePublished && !published(&a) {
			a.State = parley.ArticleDraft
			changed = append(changed, "state")
		}
		if err := t.Audit.Record(entry.Entry{
			Action: entry.ArticleDeleted, SubjectType: entry.SubjectArticle, SubjectID: a.ID.String(),
			Changes: []entry.Change{{Field: "language", To: string(id.Language)}},
		}); err != nil {
			return a, err
		}
		return a, announceUpdate(t, &a, changed)
	})
}

// published reports whether an article has a published text.
func published(a *parley.Article) bool {
	return slices.ContainsFunc(a.Texts, func(h parley.ArticleHead) bool { return h.PublishedVersion > 0 })
}

// PublishArticle shows the working texts of an article to the public, in some
// languages, or in all that it has if there are none named. An archived article
// can be read again. A language without text is NotFound.
func (svc *Service) PublishArticle(ctx context.Context, by desk.Caller, id parley.ID, languages []parley.Language) (parley.Article, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Article, error) {
		a, err := articleOf(t, t.WS, id)
		if err != nil {
			return a, err
		}
		for _, language := range languages {
			if _, ok := a.Text(language); !ok {
				return a, parley.FieldErrorf(parley.NotFound, "languages", "the article has no text in %s", language)
			}
		}
		var changed []string
		if err := publish(t, &a, languages, &changed); err != nil {
			return a, err
		}
		return a, announceUpdate(t, &a, changed)
	})
}

// publish publishes the working texts in some languages, or all if there are none.
func publish(t *desk.Tx, a *parley.Article, languages []parley.Language, changed *[]string) error {
	fresh := false
	for i := range a.Texts {
		h := &a.Texts[i]
		if len(languages) > 0 && !slices.Contains(languages, h.Language) || h.PublishedVersion == h.Version {
			continue
		}
		h.PublishedVersion, h.PublishedAt = h.Version, t.Now
		if err := PutArticleHead(t, t.WS, a.ID, h); err != nil {
			return err
		}
		if err := UpdateVersionPublished(t, t.WS, a.ID, h); err != nil {
			return err
		}
		fresh = true
	}
	if fresh {
		a.PublishedAt = t.Now
		*changed = append(*changed, "texts", "publishedAt")
	}
	if a.State != parley.ArticlePublished {
		a.State = parley.ArticlePublished
		*changed = append(*changed, "state")
	}
	return nil
}

// setState changes the state of an article; see [ArticleChange].
func setState(t *desk.Tx, a *parley.Article, state parley.ArticleState, changed *[]string) error {
	switch {
	case state == a.State:
		return nil
	case state == parley.ArticlePublished && !published(a):
		return publish(t, a, nil, changed)
	case state == parley.ArticleDraft:
		if err := unpublish(t, a, changed); err != nil {
			return err
		}
	}
	a.State = state
	*changed = append(*changed, "state")
	return nil
}

// unpublish takes all texts of an article back from the public.
func unpublish(t *desk.Tx, a *parley.Article, changed *[]string) error {
	if !published(a) {
		return nil
	}
	for i := range a.Texts {
		h := &a.Texts[i]
		h.PublishedVersion, h.PublishedAt = 0, time.Time{}
		if err := PutArticleHead(t, t.WS, a.ID, h); err != nil {
			return err
		}
	}
	*changed = append(*changed, "texts")
	return nil
}
