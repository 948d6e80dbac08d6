package outward

import (
	"net/netip"
	"strings"
	"testing"
)

// NotPublicAddresses must never be dialed unless an operator allows them.
var NotPublicAddresses = strings.Fields(`
	0.0.0.0 0.0.0.1 0.255.255.255
	10.0.0.0 10.0.0.1 10.255.255.255
	100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255
	127.0.0.0 127.0.0.1 127.1.2.3 127.255.255.255
	168.63.129.16
	169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
	172.16.0.0 172.16.0.1 172.17.0.1 172.31.255.255
	192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
	192.168.0.0 192.168.0.1 192.168.255.255
	198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
	224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255
	:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::169.254.169.254
	::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:192.168.0.1 ::ffff:0.0.0.0 ::ffff:100.64.0.1
	64:ff9b::7f00:1 64:ff9b::169.254.169.254 64:ff9b::8.8.8.8 64:ff9b:1::7f00:1 64:ff9b:1:ffff::10.0.0.1
	100::1 100:0:0:1::1
	2001::1 2001:0:7f00:1::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2001:db8:ffff::1
	2002:7f00:1::1 2002:a00:1::1 2002:a9fe:a9fe::1 3fff::1 3fff:fff::1
	4000::1 5f00::1
	fc00::1 fd00::1 fd00:ec2::254 fd12:3456:789a::1 fdff:ffff::1
	fe80::1 fe80::1%eth0 fe80::a9fe:a9fe febf::1 fec0::1
	ff00::1 ff02::1 ff05::1:3 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
	2606:4700::1111%eth0
`)

var publicAddresses = strings.Fields(`
	1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 168.63.129.15 168.63.129.17
	169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
	::ffff:8.8.8.8 2001:200::1 2001:4860:4860::8888 2003::1 2606:4700::1111 2a00:1450:4001::1 3ffe::1
`)

func TestPublic(t *testing.T) {
	if len(NotPublicAddresses) < 60 {
		t.Errorf("there are only %d addresses", len(NotPublicAddresses))
	}
	for want, list := range map[bool][]string{false: NotPublicAddresses, true: publicAddresses} {
		for _, text := range list {
			if (Networks{}).reachable(netip.MustParseAddr(text)) != want {
				t.Errorf("%s: reachable is not %v", text, want)
			}
		}
	}
}

// TestAllowedNetworks allows some, and demands that nothing else becomes
// reachable by it.
func TestAllowedNetworks(t *testing.T) {
	allowed, err := ParseNetworks("10.1.0.0/16, 192.168.7.9,fd12:3456:789a::/48,169.254.0.0/16,64:ff9b::/96,224.0.0.0/8,0.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"10.1.0.0": true, "10.1.255.255": true, "10.0.255.255": false, "10.2.0.0": false, "::ffff:10.1.2.3": true,
		"192.168.7.9": true, "192.168.7.8": false, "fd12:3456:789a::1": true, "fd12:3456:789b::1": false, "fd12:3456:789a::1%eth0": false,
		"169.254.169.254": true, "127.0.0.1": false, "::1": false, "8.8.8.8": true,
		"64:ff9b::8.8.8.8": true, "64:ff9b::10.1.2.3": true, "64:ff9b::10.2.0.1": false, "64:ff9b::127.0.0.1": false, "64:ff9b:1::8.8.8.8": false,
		"224.0.0.1": false, "0.0.0.0": false, "::": false,
	} {
		if allowed.reachable(netip.MustParseAddr(text)) != want {
			t.Errorf("%s: reachable is not %v", text, want)
		}
	}
}

func TestParseNetworks(t *testing.T) {
	if all, err := ParseNetworks(""); len(all) != 0 || err != nil {
		t.Errorf("nothing is read as %v, %v", all, err)
	}
	for _, bad := range []string{
		",", "x", "10.0.0.1/8", "10.0.0.0/7", "0.0.0.0/0", "::/0", "fc00::/6", "10.1.0.0/33", "::ffff:10.0.0.0/104", "fe80::1%eth0", "fe80::%1/64",
		"10.1.0.0/16,", "10.1.0.0/16 10.2.0.0/16", "db.internal",
	} {
		if all, err := ParseNetworks(bad); err == nil {
			t.Errorf("%q is read as %v", bad, all)
		}
	}
}
