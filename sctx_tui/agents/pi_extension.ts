// Tells the agent what AGENTS.yaml says about the files that it reads and changes. `sctx pi disable` removes
// this file, `sctx pi enable` brings it up to date.
//
// A change (edit, write) is held once per session, path and text, so that the text is read before the change is
// made; the repeated call goes through. What applies to any other call is appended to its result.

import { spawn } from "node:child_process";

const COMMAND = ["sctx", "hook"];
const TIMEOUT_MS = 5000;
const LARGEST_ANSWER = 1 << 20;
const CHANGING = new Set(["edit", "write"]);
const READING_COMMAND = /\b(?:cat|head|tail)\b/;

export default function (pi) {
  const held = new Set();
  const heldCalls = new Set();

  const question = (name, event, ctx) => ({
    source: "pi",
    event: name,
    tool_name: event.toolName,
    input: { path: event.input?.path, command: event.input?.command },
    cwd: ctx.cwd,
    session_id: sessionOf(ctx),
    tool_call_id: event.toolCallId,
    include_decisions: isPlanning(pi),
  });

  pi.on("tool_call", async (event, ctx) => {
    if (!CHANGING.has(event.toolName)) return;
    const text = await ask(question("tool_call", event, ctx));
    const key = JSON.stringify([sessionOf(ctx), event.input?.path, text]);
    if (!text || held.has(key)) return;
    held.add(key);
    heldCalls.add(event.toolCallId);
    return {
      block: true,
      reason:
        `${text}\n\nNothing was changed yet: this call was held once, so that the above is read first. ` +
        "Adapt the change if need be and make the call again; it will go through.",
    };
  });

  pi.on("tool_result", async (event, ctx) => {
    if (heldCalls.delete(event.toolCallId)) return;
    const changing = CHANGING.has(event.toolName);
    if (changing && event.isError) return;
    if (event.toolName === "bash" && !READING_COMMAND.test(String(event.input?.command))) return;
    const names = changing ? ["tool_result"] : ["tool_call", "tool_result"];
    const answers = await Promise.all(names.map((name) => ask(question(name, event, ctx))));
    const text = answers.filter(Boolean).join("\n\n");
    if (text) return { content: [...(event.content ?? []), { type: "text", text }] };
  });
}

/** The id of the session, so that a new one hears everything again. */
function sessionOf(ctx) {
  try {
    return String(ctx.sessionManager?.getSessionId?.() ?? "");
  } catch {
    return "";
  }
}

/** Whether the agent only plans: it has tools, but none that changes a file. */
function isPlanning(pi) {
  try {
    const active = pi.getActiveTools?.() ?? [];
    return active.length > 0 && !active.some((tool) => CHANGING.has(tool.name ?? tool));
  } catch {
    return false;
  }
}

/** What sctx has to say about a call, "" for nothing. Never rejects, and never keeps pi waiting for long. */
function ask(payload) {
  return new Promise((resolve) => {
    const [program, ...words] = COMMAND;
    let child;
    try {
      child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    } catch {
      resolve("");
      return;
    }
    const settle = (text) => {
      clearTimeout(timer);
      child.stdin?.destroy();
      child.stdout?.destroy();
      child.kill("SIGKILL");
      resolve(text);
    };
    const timer = setTimeout(() => settle(""), TIMEOUT_MS);
    let output = "";
    child.on("error", () => settle(""));
    child.stdin?.on("error", () => {});
    child.stdout?.setEncoding("utf8");
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.length > LARGEST_ANSWER) settle("");
    });
    child.on("close", (code) => settle(code === 0 ? textOf(output) : ""));
    child.stdin?.end(JSON.stringify(payload));
  });
}

function textOf(output) {
  try {
    const text = JSON.parse(output).additionalContext;
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}
