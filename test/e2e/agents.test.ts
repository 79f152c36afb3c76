import { describeAgentCalls } from './agent-calls';
import { startAgentHost, type AgentHost } from './agent-ways';
import { version } from './host';
import { describeMcpKeys } from './mcp-keys';
import { describeRefundApproval } from './refund-approval';
import { describeSupportAgent } from './support-agent';

describe(`AI agents in ${version}`, () => {
  let host: AgentHost;
  beforeAll(async () => {
    host = await startAgentHost();
  });
  afterAll(async () => await host.stop());

  for (const describePart of [describeAgentCalls, describeMcpKeys, describeSupportAgent, describeRefundApproval])
    describePart(() => host);
});
