import type { INode } from 'n8n-workflow';

/** Whether the node runs as a tool of an AI agent: n8n gives such a node a type of its own, which ends in "Tool". */
export const isTool = ({ type }: Pick<INode, 'type'>): boolean => type.endsWith('Tool');
