package wire_test

import (
	"time"

	"parley"
	"parley/internal/wire"
)

func mailShapes() map[string][]byte {
	failed := parley.Mail{
		ID: id(40), Kind: parley.MailInvitation, State: parley.MailFailed, InvitationID: id(9), Attempts: 3, Problem: "recipient: 550 5.1.1 no such mailbox",
		Resendable: true, CreatedAt: at(1), EndedAt: at(2),
	}
	waiting := parley.Mail{ID: id(41), Kind: parley.MailReset, State: parley.MailWaiting, MemberID: "usr_a", ContactID: id(2), CreatedAt: at(1), EndedAt: time.Time{}}
	return map[string][]byte{
		"mail":         wire.AppendMail(nil, &failed),
		"mail_waiting": wire.AppendMail(nil, &waiting),
		"mails":        wire.AppendMails(nil, "Acme <support@acme.example>", parley.Page[parley.Mail]{Items: []parley.Mail{failed}}, ""),
		"mails_off":    wire.AppendMails(nil, "", parley.Page[parley.Mail]{}, ""),
		"mail_trial":   wire.AppendMailTrial(nil, true, []string{"connected to mail.example:465", "accepted: 250 OK"}),
	}
}
