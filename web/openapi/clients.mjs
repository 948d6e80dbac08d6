// Calls a running server through each generated client: the two for TypeScript,
// compiled into build/js, and the one for Go. It also requires that the compiler
// reports every mistake of goclient/mistakes.
//
//   node clients.mjs ../../bin/parley
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const [binary] = process.argv.slice(2);
if (!binary) {
  console.error("usage: node clients.mjs <the binary>");
  process.exit(2);
}
const go = process.env.GO ?? "go";
const goclient = resolve("goclient");

// serve starts the binary on a free port with an empty store, whose key it
// prints once.
async function serve() {
  const data = await mkdtemp(join(tmpdir(), "parley-clients-"));
  const child = spawn(resolve(binary), ["serve", "--listen", "127.0.0.1:0", "--data", data], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  process.on("exit", () => child.kill()); // however this check ends
  const stop = async () => {
    child.kill();
    await exited;
    await rm(data, { recursive: true });
  };
  let origin;
  for await (const line of createInterface({ input: child.stdout })) {
    origin ??= line.match(/serves on\s+(http:\S+)/)?.[1];
    const key = line.match(/API key\s+(pk_\S+)/)?.[1];
    if (key) {
      child.stdout.resume(); // nobody reads the rest, and the server must not block on it
      return { origin, key, stop };
    }
  }
  await stop();
  throw new Error(`${binary} ended without a key`);
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ").replace(/pk_\w+/, "…")} ended with ${status}`);
}

// findMistakes compares the lines with a mistake with those that the compiler
// reports.
async function findMistakes() {
  const lines = (await readFile(join(goclient, "mistakes/mistakes.go"), "utf8")).split("\n");
  const wanted = lines.flatMap((line, i) => (/\/\/ mistake: /.test(line) ? [i + 1] : []));
  const built = spawnSync(go, ["build", "-gcflags=-e", "-tags", "mistakes", "./mistakes"], { cwd: goclient, encoding: "utf8" });
  const found = new Set([...built.stderr.matchAll(/mistakes\.go:(\d+):/g)].map((match) => Number(match[1])));
  const missed = wanted.filter((line) => !found.has(line));
  const others = [...found].filter((line) => !wanted.includes(line));
  if (wanted.length === 0 || missed.length > 0 || others.length > 0) {
    throw new Error(`of ${wanted.length} mistakes the compiler misses those of lines ${missed}, and finds others in ${others}:\n${built.stderr}`);
  }
  console.log(`oapi-codegen: the compiler finds ${wanted.length} mistakes`);
}

await findMistakes();
const server = await serve();
try {
  run(process.execPath, ["build/js/clients/calls.js", server.origin, server.key]);
  run(process.execPath, ["build/js/clients/heycalls.js", server.origin, server.key]);
  run(go, ["run", ".", server.origin, server.key], goclient);
} finally {
  await server.stop();
}
