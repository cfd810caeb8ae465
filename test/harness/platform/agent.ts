import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ClientOptions, ElicitResult, Tool } from '@modelcontextprotocol/client';
import { atEnd } from '../at-end';
import type { Platform } from './platform';

export type ToolReply = {
  isError: boolean;
  /** The structured content of a result, or the JSON of an error. */
  body: Record<string, unknown> & {
    data?: unknown;
    confirm?: string;
    preview?: string;
    error?: string;
    code?: string;
  };
};
export type Agent = {
  call: (tool: string, input?: Record<string, unknown>) => Promise<ToolReply>;
  tools: () => Promise<Tool[]>;
  client: Client;
};

/** Makes the client speak the protocol of 2025, or only that of 2026-07-28. */
export const versionsOf = (era: 'legacy' | 'modern'): ClientOptions => ({
  versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
});

/**
 * Connects an agent to `/mcp` with the official client. `legacy` speaks the protocol of 2025, `modern` that of
 * 2026-07-28. With `answer`, the client can ask its person, who gives this answer and whose questions are kept in `asked`.
 */
export async function connectAgent(
  platform: Pick<Platform, 'stack'>,
  token: string,
  {
    era = 'modern',
    answer,
    asked = [],
  }: { era?: 'legacy' | 'modern'; answer?: ElicitResult['action']; asked?: string[] } = {},
): Promise<Agent> {
  const client = new Client(
    { name: 'test-agent', version: '1.0.0' },
    { ...versionsOf(era), capabilities: answer ? { elicitation: { form: {} } } : {} },
  );
  if (answer)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: answer, ...(answer === 'accept' ? { content: {} } : {}) };
    });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', platform.stack.origin), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  atEnd(() => client.close());
  return agentOf(client);
}

/** Returns the calls of a connected client. */
export const agentOf = (client: Client): Agent => ({
  client,
  tools: async () => (await client.listTools()).tools,
  call: async (tool, input = {}) => {
    const {
      isError = false,
      structuredContent,
      content,
    } = await client.callTool({ name: tool, arguments: input });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '{}';
    return { isError, body: (isError ? JSON.parse(text) : structuredContent) as ToolReply['body'] };
  },
});
