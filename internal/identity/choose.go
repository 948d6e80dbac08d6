package identity

import (
	"cmp"
	"slices"

	"parley"
)

// choose finds the key that must have signed the token. A kid names exactly one
// key: a secret or a public key of the workspace, or a key in a set by its name
// there. Without a kid any secret may have signed; public keys require one.
func (a *attempt) choose() *Rejected {
	kid, named := a.head.text("kid")
	if !named {
		return a.chooseSecret()
	}
	for _, k := range a.keys.All {
		if k.KID == kid && k.Kind != parley.KeySet {
			a.key = k
			return nil
		}
	}
	return a.chooseFromSets(kid)
}

func (a *attempt) chooseSecret() *Rejected {
	if alg, _ := a.head.text("alg"); slices.Contains(publicAlgorithms, alg) {
		return refuse(UnknownKey, "kid must be given for a public key: the header says alg %s and has none", alg)
	}
	found := false
	for _, k := range a.keys.All {
		if k.Kind != parley.SecretKey {
			continue
		}
		if !found || a.signedBy(k) {
			a.key, found = k, true
		}
	}
	if !found {
		return refuse(UnknownKey, "the header has no kid, and the workspace has no secret that could have signed")
	}
	return nil
}

// chooseFromSets searches the sets of the issuer that the token names. The name
// is trusted only for this search: the key of the set and the issuer are
// verified together later.
func (a *attempt) chooseFromSets(kid string) *Rejected {
	iss, _ := a.body.text("iss")
	aud, _ := a.body.audience()
	var sets []Key
	for _, k := range a.keys.All {
		if k.Kind == parley.KeySet && k.Issuer == iss {
			sets = append(sets, k)
		}
	}
	meant := func(k Key) int {
		if slices.Contains(aud, k.Audience) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(sets, func(x, y Key) int { return cmp.Compare(meant(x), meant(y)) })
	var failed *Rejected
	for _, k := range sets {
		public, err := a.keys.Sets.key(a.ctx, k.SetURL, kid, k.Algorithm)
		switch {
		case err != nil:
			failed = refuse(NoKeys, "the keys at %s cannot be had: %v", k.SetURL, shownFailure(err))
		case public != nil:
			k.Public = public
			a.key = k
			return nil
		}
	}
	switch {
	case failed != nil:
		return failed
	case len(sets) > 0:
		return refuse(UnknownKey, "the set of keys of %q has no key %q for %s", iss, shown(a.head["kid"]), sets[0].Algorithm)
	}
	return refuse(UnknownKey, "the workspace has no key %q that verifies (any more)", shown(a.head["kid"]))
}
