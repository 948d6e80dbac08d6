package wire

import (
	"time"

	"parley"
)

// AppendStep appends what is missing before a session of a member starts.
func AppendStep(b []byte, step string, w *parley.Workspace) []byte {
	o := open(b)
	o.text("step", step)
	o.name("workspace")
	o.b = AppendWorkspace(o.b, w)
	return o.close()
}

// AppendFactorSetUp appends a second factor to set up: the secret as a person
// types it, its address and the modules of the QR code, and what to send back.
func AppendFactorSetUp(b []byte, secret, address string, rows []string, setUp string) []byte {
	o := open(b)
	o.text("secret", secret)
	o.text("address", address)
	list(&o, "qr", rows, func(b []byte, row *string) []byte { return appendText(b, *row) })
	o.text("setUp", setUp)
	return o.close()
}

// AppendOwnFactor appends the second factor of the signed-in member: since when
// there is one, zero for none, the number of unused recovery codes, and whether
// the workspace requires one.
func AppendOwnFactor(b []byte, since time.Time, recoveryCodes int, required bool) []byte {
	o := open(b)
	o.timeOrNull("since", since)
	o.integer("recoveryCodes", int64(recoveryCodes))
	o.boolean("required", required)
	return o.close()
}

// AppendConfirming appends until when a session counts as confirmed, zero if it does
// not, whether its member confirms it by the password, and by a code as well, and whether a
// provider opened it.
func AppendConfirming(b []byte, until time.Time, password, code, byProvider bool) []byte {
	o := open(b)
	o.timeOrNull("confirmedUntil", until)
	o.boolean("password", password)
	o.boolean("code", code)
	o.boolean("byProvider", byProvider)
	return o.close()
}

// AppendRecoveryCodes appends recovery codes.
func AppendRecoveryCodes(b []byte, codes []string) []byte {
	o := open(b)
	list(&o, "recoveryCodes", codes, func(b []byte, code *string) []byte { return appendText(b, *code) })
	return o.close()
}

// AppendAllFactors appends whether every member needs a second factor, and the
// members who have one.
func AppendAllFactors(b []byte, required bool, members []parley.UserID) []byte {
	o := open(b)
	o.boolean("requireSecondFactor", required)
	list(&o, "memberIds", members, appendUserID)
	return o.close()
}
