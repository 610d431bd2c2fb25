// A stand-in for pi: loads an extension, plays the events of a script, and prints what came of each as JSON.
// Usage: node pi_stand_in.mjs EXTENSION < SCRIPT

import { pathToFileURL } from "node:url";

const steps = JSON.parse(await new Response(process.stdin).text());
const { default: extension } = await import(pathToFileURL(process.argv[2]));

const handlers = new Map();
let activeTools = ["read", "bash", "edit", "write"];
let session = "first";
extension({
  on: (name, handler) => handlers.set(name, [...(handlers.get(name) ?? []), handler]),
  getActiveTools: () => {
    if (activeTools === "broken") throw new Error("not now");
    return activeTools;
  },
});

const context = (cwd) => ({ cwd, sessionManager: { getSessionId: () => session } });

async function play({ event, cwd, tools, newSession, withoutSessions, ...fields }) {
  if (tools) activeTools = tools;
  if (newSession) session = newSession;
  if (!event) return null;
  let answer;
  for (const handler of handlers.get(event) ?? []) {
    answer = await handler({ type: event, ...fields }, withoutSessions ? { cwd } : context(cwd));
  }
  return answer ?? null;
}

let ticks = 0;
const clock = setInterval(() => ticks++, 5);
const results = [];
for (const step of steps) {
  const started = ticks;
  const answers = await Promise.all((Array.isArray(step) ? step : [step]).map(play));
  results.push({ answers, ticks: ticks - started });
}
clearInterval(clock);
console.log(JSON.stringify({ events: [...handlers.keys()], results }));
