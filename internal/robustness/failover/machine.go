package failover

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"parley/internal/pgtest"
)

// A Machine is a member of the cluster: an etcd, a Patroni and its PostgreSQL, with an
// address of its own.
type Machine struct {
	Name string

	cluster *Cluster
	address string
	dir     string
	started []*exec.Cmd
}

// url is the address of one of the machine's programs.
func (m *Machine) url(port int) string { return "http://" + m.at(port) }

func (m *Machine) at(port int) string { return net.JoinHostPort(m.address, strconv.Itoa(port)) }

// Start starts a machine that does not run, as after a crash.
func (m *Machine) Start() {
	m.cluster.t.Helper()
	// The lock files of a killed server would prevent a restart while its pid is a zombie or
	// belongs to another process.
	for _, left := range []string{"data/postmaster.pid", ".s.PGSQL.5432.lock"} {
		_ = os.Remove(filepath.Join(m.dir, left))
	}
	m.run("etcd", m.etcdArguments()...)
	m.run("patroni", "patroni.yml")
}

// run starts a program in the machine's folder, by which its processes are known.
func (m *Machine) run(name string, args ...string) {
	m.cluster.t.Helper()
	cmd := pgtest.Command(m.cluster.t, m.cluster.programs[name], args...)
	cmd.Dir = m.dir
	log, err := os.OpenFile(m.log(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		m.cluster.t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the process has its own
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		m.cluster.t.Fatal(err)
	}
	m.started = append(m.started, cmd)
}

func (m *Machine) log(name string) string { return filepath.Join(m.dir, name+".log") }

// Kill kills all processes of the machine at once, like a crash of it.
func (m *Machine) Kill() {
	for {
		running := m.processes()
		for _, pid := range running {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended just now
		}
		if len(running) == 0 {
			break
		}
		time.Sleep(time.Millisecond) // there is nothing to wait on: most are not our children
	}
	for _, cmd := range m.started {
		_ = cmd.Wait() // it was killed
	}
	m.started = nil
	pgtest.ForgetMemory(filepath.Join(m.dir, "data"))
}

// Freeze stops all processes of the machine: they neither work nor close connections, as on
// a machine that hangs, or behind a network that is gone.
func (m *Machine) Freeze() { m.signal(m.processes(), syscall.SIGSTOP) }

// Thaw lets a frozen machine go on. It is not aware that time has passed.
func (m *Machine) Thaw() { m.signal(m.processes(), syscall.SIGCONT) }

// Mute stops the processes that send to other machines what this one writes.
func (m *Machine) Mute() {
	m.cluster.t.Helper()
	var senders []int
	for _, pid := range m.processes() {
		title, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && strings.HasPrefix(string(title), "postgres: ") && strings.Contains(string(title), " walsender ") {
			senders = append(senders, pid)
		}
	}
	if m.signal(senders, syscall.SIGSTOP); len(senders) == 0 {
		m.cluster.t.Fatalf("%s sends to nobody", m.Name)
	}
}

func (m *Machine) signal(processes []int, s syscall.Signal) {
	for _, pid := range processes {
		_ = syscall.Kill(pid, s) // it may have ended just now
	}
}

// processes returns the processes of the machine, by the folder that they work in.
func (m *Machine) processes() (all []int) {
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		panic(err) // the pattern is correct
	}
	for _, link := range links {
		at, err := os.Readlink(link)
		if err != nil || at != m.dir && !strings.HasPrefix(at, m.dir+"/") { // it ended, or is another's
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

func (m *Machine) etcdArguments() []string {
	var members []string
	for _, other := range m.cluster.Machines {
		members = append(members, other.Name+"="+other.url(peerPort))
	}
	return []string{
		"--name=" + m.Name, "--data-dir=etcd", "--log-level=warn", "--enable-v2", "--initial-cluster-state=new", "--initial-cluster=" + strings.Join(members, ","),
		"--listen-client-urls=" + m.url(etcdPort), "--advertise-client-urls=" + m.url(etcdPort),
		"--listen-peer-urls=" + m.url(peerPort), "--initial-advertise-peer-urls=" + m.url(peerPort),
	}
}

// make writes the folder of a machine that never ran.
func (m *Machine) make(o Options) error {
	text, err := json.MarshalIndent(m.settings(o), "", "  ") // which is YAML, too
	if err != nil {
		return err
	}
	file := filepath.Join(m.dir, "patroni.yml")
	err = errors.Join(os.Mkdir(m.dir, 0o700), os.WriteFile(file, text, 0o600))
	if as := pgtest.Command(m.cluster.t, "true").SysProcAttr.Credential; as != nil {
		err = errors.Join(err, os.Chown(m.dir, int(as.Uid), int(as.Gid)), os.Chown(file, int(as.Uid), int(as.Gid)))
	}
	return err
}

// settings are those of Patroni. A machine that is silent for five seconds is taken for
// dead; a second machine then becomes the primary within a second or two.
func (m *Machine) settings(o Options) map[string]any {
	type object = map[string]any
	var hosts []string
	for _, other := range m.cluster.Machines {
		hosts = append(hosts, other.at(etcdPort))
	}
	parameters := object{
		"max_connections": 200, "wal_log_hints": true, "wal_keep_size": "256MB",
		"dynamic_shared_memory_type":  "mmap", // in its folder: what a kill leaves behind goes with that
		"wal_retrieve_retry_interval": "200ms",
	}
	return object{
		"scope": "parley", "name": m.Name,
		"restapi": object{"listen": m.at(patroniPort), "connect_address": m.at(patroniPort)},
		"etcd":    object{"hosts": hosts}, // by its older protocol: over the newer, Patroni 3.0 may keep an outdated key for good when an etcd dies
		"bootstrap": object{
			"dcs": object{
				"ttl": 5, "loop_wait": 1, "retry_timeout": 2, "maximum_lag_on_failover": 1 << 30, "primary_start_timeout": 0,
				"synchronous_mode": o.Synchronous, "synchronous_mode_strict": o.Synchronous,
				"postgresql": object{"use_pg_rewind": true, "use_slots": true, "parameters": parameters},
			},
			"initdb": []any{object{"encoding": "UTF8"}, object{"locale": "C"}, "data-checksums", "no-sync"},
		},
		"postgresql": object{
			"listen": m.at(postgresPort), "connect_address": m.at(postgresPort), "data_dir": filepath.Join(m.dir, "data"),
			"bin_dir": m.cluster.bin, "pgpass": filepath.Join(m.dir, "pgpass"),
			"parameters": object{"unix_socket_directories": m.dir},
			"pg_hba":     []string{"local all postgres trust", "host all postgres 127.0.0.0/8 trust", "host replication replicator 127.0.0.0/8 trust"},
			"authentication": object{
				"superuser":   object{"username": "postgres", "password": "postgres"},
				"replication": object{"username": "replicator", "password": "replicator"},
			},
			"basebackup": []any{"no-sync", object{"checkpoint": "fast"}},
		},
	}
}
