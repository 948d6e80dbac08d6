// Package failover runs three machines on one: each has an address of its own and runs
// etcd, Patroni and PostgreSQL. Tests kill the one that is the primary, or make another
// one the primary, and start what they killed again.
//
// It is only for tests and imports nothing of this module but pgtest.
package failover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/pgtest"
)

const (
	postgresPort = 5432
	patroniPort  = 8008
	etcdPort     = 2379
	peerPort     = 2380

	// patience is how long a cluster may take to become whole. It is far more than it needs,
	// because machines that run tests are busy.
	patience = time.Minute
)

// Options is how a cluster replicates.
type Options struct {
	// Synchronous acknowledges no commit before a second machine has it, and none while there
	// is no second machine. Otherwise commits are acknowledged before they are sent.
	Synchronous bool
}

// A Cluster is three machines, one of which is the primary.
type Cluster struct {
	Machines []*Machine

	t           testing.TB
	synchronous bool
	dir         string
	bin         string            // folder of PostgreSQL's programs
	programs    map[string]string // files of the others
}

// New starts a cluster and waits until it is whole. It ends with the test. If Patroni or
// etcd is not installed, the test is skipped, or fails with CI=true.
func New(t testing.TB, o Options) *Cluster {
	t.Helper()
	c := &Cluster{t: t, synchronous: o.Synchronous, bin: pgtest.Programs(t), programs: programs(t)}
	var err error
	if c.dir, err = os.MkdirTemp("", "failover"); err != nil { //nolint:usetesting // sockets need a short path, and another user enters it
		t.Fatal(err)
	}
	leash := c.leash()
	t.Cleanup(func() {
		c.end()
		_ = leash.Close()
	})
	if err := os.Chmod(c.dir, 0o711); err != nil {
		t.Fatal(err)
	}
	network := fmt.Sprintf("127.%d.%d.", 1+rand.IntN(254), rand.IntN(256))
	for n := range 3 {
		name := fmt.Sprintf("db%d", n+1)
		c.Machines = append(c.Machines, &Machine{Name: name, cluster: c, address: fmt.Sprint(network, n+1), dir: filepath.Join(c.dir, name)})
	}
	for _, m := range c.Machines {
		if err := m.make(o); err != nil {
			t.Fatal(err)
		}
		m.Start()
	}
	c.Whole()
	return c
}

// programs returns the files of the programs beside PostgreSQL.
func programs(t testing.TB) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range []string{"patroni", "etcd"} {
		file, err := exec.LookPath(name)
		if err != nil && os.Getenv("CI") == "true" {
			t.Fatalf("there is no %s", name)
		}
		if err != nil {
			t.Skipf("SKIPPED: no %s. Install it (Debian: apt-get install patroni etcd-server python3-etcd).", name)
		}
		found[name] = file
	}
	return found
}

// leash starts a shell that kills every machine when this process ends, for whatever
// reason: then the pipe closes.
func (c *Cluster) leash() io.Closer {
	c.t.Helper()
	const kill = `read line
for again in 1 2 3; do for process in /proc/[0-9]*; do
	case $(readlink "$process/cwd") in "$0"/*) kill -KILL "${process#/proc/}";; esac
done; done`
	cmd := exec.Command("sh", "-c", kill, c.dir)
	pipe, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = cmd.Wait() }) // it ends with the pipe
	return pipe
}

// end kills all machines and deletes them.
func (c *Cluster) end() {
	for _, m := range c.Machines {
		m.Kill()
		if c.t.Failed() {
			text, _ := os.ReadFile(m.log("patroni")) // none before the first start
			c.t.Logf("the log of Patroni on %s ends with\n%s", m.Name, text[max(0, len(text)-3000):])
		}
	}
	_ = os.RemoveAll(c.dir)
}

// URL returns the URL of the database, which names all machines.
func (c *Cluster) URL() string {
	var hosts []string
	for _, m := range c.Machines {
		hosts = append(hosts, m.at(postgresPort))
	}
	return "postgres://postgres:postgres@" + strings.Join(hosts, ",") + "/postgres?sslmode=disable&target_session_attrs=read-write&connect_timeout=1"
}

// A member is what Patroni tells of a machine.
type member struct {
	Name, Role, State string
	Timeline          int
}

// members asks any machine that answers.
func (c *Cluster) members() ([]member, error) {
	var failed error
	for _, m := range c.Machines {
		var state struct{ Members []member }
		err := call(http.MethodGet, m.url(patroniPort)+"/cluster", nil, &state)
		if err == nil {
			return state.Members, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// call sends a request to Patroni.
func call(method, url string, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	if method == http.MethodPost { // the answer comes when it is done
		ctx, cancel = context.WithTimeout(context.Background(), patience)
	}
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was read
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s is answered %d: %s", url, res.StatusCode, text)
	}
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Whole waits until one machine is the primary and the others follow it.
func (c *Cluster) Whole() {
	c.t.Helper()
	c.until("the cluster is not whole", func() error {
		members, err := c.members()
		if err != nil {
			return err
		}
		roles := map[string]int{}
		for _, m := range members {
			if (m.State == "running" || m.State == "streaming") && m.Timeline == members[0].Timeline {
				roles[m.Role]++
			}
		}
		if roles["leader"] != 1 || roles["replica"]+roles["sync_standby"] != len(c.Machines)-1 {
			return fmt.Errorf("its members are %+v", members)
		}
		if c.synchronous && roles["sync_standby"] == 0 {
			return errors.New("no machine may replace the primary") // which Patroni writes down some time later
		}
		return c.follows()
	})
}

// Revive starts the machines that were killed.
func (c *Cluster) Revive() {
	c.t.Helper()
	for _, m := range c.Machines {
		if len(m.started) == 0 {
			m.Start()
		}
	}
}

// until polls a condition, because processes send no signal.
func (c *Cluster) until(failing string, holds func() error) {
	c.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		err := holds()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("%s: %v", failing, err)
		}
	}
}
