import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A step of a GitHub workflow. */
export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
}

/** A run of a workflow, as GitHub would show it. */
export interface WorkflowRun {
  /** Names of the steps that failed. */
  readonly failed: readonly (string | undefined)[];
  /** The summary of each step that has one, in their order. */
  readonly summary: string;
  /** Both streams of all steps. */
  readonly printed: string;
  /** Actions that were due, with their inputs. */
  readonly actions: readonly Step[];
}

export interface WorkflowOptions {
  /** The checkout. */
  readonly workspace: string;
  readonly event: "push" | "pull_request";
  /** Runs an action of a step, such as a checkout. */
  readonly act?: (step: Step) => Promise<void>;
  /** Steps that are left out, by name. */
  readonly without?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
}

/** The conditions that these workflows use. */
const CONDITIONS: Readonly<Record<string, (state: { failed: boolean; event: string }) => boolean>> =
  {
    "success()": ({ failed }) => !failed,
    "failure()": ({ failed }) => failed,
    "${{ !cancelled() }}": () => true,
    "github.event_name == 'pull_request'": ({ failed, event }) =>
      !failed && event === "pull_request",
  };

/** Runs the steps of a job as far as they need no GitHub: their shell lines, with the files of GitHub's environment. */
export async function runSteps(
  steps: readonly Step[],
  { workspace, event, act, without = [], environment }: WorkflowOptions,
): Promise<WorkflowRun> {
  const runner = `${workspace}.runner`;
  await mkdir(runner, { recursive: true });
  const failed: (string | undefined)[] = [];
  const actions: Step[] = [];
  let [summary, printed] = ["", ""];
  for (const [index, step] of steps.entries()) {
    const isDue = CONDITIONS[step.if ?? "success()"];
    if (isDue === undefined) throw new Error(`This test doesn't know the condition ${step.if}.`);
    if (!isDue({ failed: failed.length > 0, event })) continue;
    if (step.run === undefined) {
      actions.push(step);
      await act?.(step);
      continue;
    }
    if (without.includes(step.name ?? "")) continue;
    const [summaryPath, outputPath] = ["summary.md", "output.txt"].map((name) =>
      join(runner, `${index}-${name}`),
    ) as [string, string];
    await Promise.all([summaryPath, outputPath].map((path) => writeFile(path, "")));
    const ended = await runShell(step.run, workspace, {
      shell: step.shell,
      environment: {
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_EVENT_NAME: event,
        GITHUB_WORKSPACE: workspace,
        GITHUB_STEP_SUMMARY: summaryPath,
        GITHUB_OUTPUT: outputPath,
        GITHUB_ENV: outputPath,
        ...environment,
      },
    });
    printed += ended.printed;
    summary += await readFile(summaryPath, "utf8");
    if (ended.status !== 0) failed.push(step.name);
  }
  return { failed, summary, printed, actions };
}

/** The end of some shell lines. */
export interface Ending {
  readonly status: number;
  readonly printed: string;
}

/** Runs shell lines as GitHub runs a step. */
export async function runShell(
  lines: string,
  cwd: string,
  {
    shell,
    environment,
  }: { readonly shell?: string | undefined; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<Ending> {
  const options = shell === "bash" ? ["-eo", "pipefail"] : ["-e"];
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    // The first installation has filled npm's cache for all that follow.
    npm_config_prefer_offline: "true",
    GIT_AUTHOR_NAME: "Ana",
    GIT_AUTHOR_EMAIL: "ana@example.com",
    GIT_COMMITTER_NAME: "Ana",
    GIT_COMMITTER_EMAIL: "ana@example.com",
    ...environment,
  };
  try {
    const limits = { timeout: 240_000, maxBuffer: 64 * 1024 ** 2 };
    const run = promisify(execFile)("bash", [...options, "-c", lines], { cwd, env, ...limits });
    const { stdout, stderr } = await run;
    return { status: 0, printed: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, printed: stdout + stderr };
  }
}
