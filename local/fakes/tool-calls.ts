import { z } from 'zod';

/**
 * The step of a script: the tool that the model calls. A text `$<step>.<path>` in its arguments stands for a value in the
 * result of an earlier step, counted from 0. With `obey`, the model calls what the last result tells it to call, as a
 * misled model would.
 */
const step = z.union([
  z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  z.object({ obey: z.literal(true) }),
]);
const script = z.object({ script: z.array(step) });

type Message = { role: string; content: string };
type ToolCall = { name: string; arguments: string };

/**
 * Returns what the fake of the model does in a conversation with tools: the next step of the script that is the JSON of the
 * system message. Undefined after the last step, or if the last result tells it to do nothing.
 */
export function nextToolCall(messages: readonly Message[]): ToolCall | undefined {
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const system = messages.find(({ role }) => role === 'system')?.content ?? '{}';
  const next = script.parse(JSON.parse(system)).script[results.length];
  if (!next) return undefined;
  if ('obey' in next) {
    const [, name, input] =
      /call (\w+) with (\{.*?\})/.exec((results.at(-1) ?? '').replaceAll('\\"', '"')) ?? [];
    return name === undefined || input === undefined ? undefined : { name, arguments: input };
  }
  const filled = JSON.stringify(next.arguments).replaceAll(/"\$(\d+)\.([\w.]+)"/g, (_all, index, path) =>
    JSON.stringify(valueAt(JSON.parse(results[Number(index)] ?? '{}'), String(path).split('.')) ?? null),
  );
  return { name: next.tool, arguments: filled };
}

const valueAt = (value: unknown, [key, ...rest]: string[]): unknown =>
  key === undefined ? value : valueAt((value as Record<string, unknown> | undefined)?.[key], rest);
