package mail

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// stopPath begins the address at which mails are stopped.
const stopPath = "/m/stop/"

// Reasons why an address gets no mails that can be stopped.
const (
	stopAsked   = "asked"
	stopBounced = "bounced"
)

const (
	keySize  = 32
	hashSize = 20
	signSize = 12
)

// An addressKey makes hashes of addresses that nobody else can make.
type addressKey []byte

// keyRecord is what the key of addresses is bound to in the vault.
const keyRecord = "mail addresses"

// key returns the key of a workspace, which the first mail creates.
func (svc *Service) key(t *desk.Tx) (addressKey, error) {
	sealed, err := selectKey(t, t.WS)
	if err != nil {
		return nil, err
	}
	if sealed != nil {
		return svc.base.Vault.Open(sealed, t.WS.String(), keyRecord)
	}
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	if sealed, err = svc.base.Vault.Seal(key, t.WS.String(), keyRecord); err != nil {
		return nil, err
	}
	return key, insertKey(t, t.WS, sealed)
}

// AddressKey returns the hash of an address, whatever its case, which says nothing about the
// address without the key of the workspace.
func (svc *Service) AddressKey(t *desk.Tx, address string) (string, error) {
	key, err := svc.key(t)
	if err != nil {
		return "", err
	}
	return key.of(address), nil
}

func (k addressKey) mac(purpose, text string, size int) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(purpose + "\x00" + text))
	return mac.Sum(nil)[:size]
}

// of returns the hash of an address, whatever its case.
func (k addressKey) of(address string) string {
	return hex.EncodeToString(k.mac("address", parley.EmailKey(address), hashSize))
}

// token returns what a link says to stop the mails to an address.
func (k addressKey) token(ws parley.WorkspaceID, toKey string) string {
	hash, _ := hex.DecodeString(toKey) // as of made it
	id := parley.ID(ws)
	return base64.RawURLEncoding.EncodeToString(append(append(id[:], hash...), k.mac("stop", toKey, signSize)...))
}

// readToken returns the parts of a token, whose signature is not checked yet.
func readToken(token string) (ws parley.WorkspaceID, toKey string, signature []byte, ok bool) {
	if len(token) > 100 {
		return ws, "", nil, false
	}
	all, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(all) != len(ws)+hashSize+signSize {
		return ws, "", nil, false
	}
	copy(ws[:], all)
	return ws, hex.EncodeToString(all[len(ws) : len(ws)+hashSize]), all[len(ws)+hashSize:], true
}

func errNoStop() *parley.Error { return parley.NotFoundf("this link is not valid") }

// MayStop reports whether a token of a link stops mails; if not, the error is NotFound.
func (svc *Service) MayStop(token string) desk.Read[bool] {
	ws, toKey, signature, ok := readToken(token)
	return desk.View(svc.desk, func(v *store.View) (bool, error) {
		if !ok {
			return false, errNoStop()
		}
		sealed, err := selectKey(v, ws)
		if err != nil {
			return false, err
		}
		if sealed == nil {
			return false, errNoStop()
		}
		key, err := svc.base.Vault.Open(sealed, ws.String(), keyRecord)
		if err != nil {
			return false, err
		}
		if !hmac.Equal(signature, addressKey(key).mac("stop", toKey, signSize)) {
			return false, errNoStop()
		}
		return true, nil
	})
}

// Stop ends the mails to an address that can be stopped, for good. It may be repeated.
func (svc *Service) Stop(ctx context.Context, token string) error {
	if _, err := svc.MayStop(token).Now(ctx); err != nil {
		return err
	}
	ws, toKey, _, _ := readToken(token)
	_, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		return struct{}{}, insertStop(t, ws, toKey, stopAsked, t.Now)
	})
	return err
}

// Stopped reports whether an address gets no mails that can be stopped.
func (svc *Service) Stopped(v *store.View, ws parley.WorkspaceID, address string) (bool, error) {
	sealed, err := selectKey(v, ws)
	if err != nil || sealed == nil {
		return false, err
	}
	key, err := svc.base.Vault.Open(sealed, ws.String(), keyRecord)
	if err != nil {
		return false, err
	}
	reason, err := selectStopped(v, ws, addressKey(key).of(address))
	return reason != "", err
}

// Resume lets mails reach an address again, whose owner asks for it.
func (svc *Service) Resume(t *desk.Tx, address string) error {
	key, err := svc.key(t)
	if err != nil {
		return err
	}
	return deleteStop(t, t.WS, key.of(address))
}
