import { maskCardNumbers, maskLongNumbers } from '../shared/privacy';

/** What of an expression is evaluated; text around it stands as it is. */
const CODE = /\{\{.*?\}\}/gs;
/** A node by its name: $('CRM'), $node["CRM"], $items("CRM"). */
const BY_NAME = /\$(?:\(\s*|node\s*\[\s*|items\(\s*)(["'`])((?:\\.|(?!\1)[^\\])+)\1/gs;
/** The same where the name is one word: $node.CRM. */
const BY_WORD = /\$node\.([A-Za-z_]\w*)/g;
/** What the node before gave. */
const OF_INPUT = /\$(?:json|binary|data|input)\b|\$items\(\s*\)/;
/** The name of a field in brackets, and a place in a list. */
const IN_BRACKETS = /\[\s*(?:"[^"]*"|'[^']*'|\d{1,3})\s*\]/g;
/** A text, or a number that is no part of a name. */
const LITERAL = /["'`]|(?<![\w$])\d/;

const LONGEST = 60;

/** Where the value of an expression comes from. */
export interface Expression {
  /** The parts that are evaluated, one at least. */
  code: string[];
  /** Nodes that it names, in their order. */
  nodes: string[];
  /** Whether it reads what the node before gave. */
  readsInput: boolean;
  /** Whether a language model fills it. */
  fromModel: boolean;
}

/**
 * n8n takes any spelling of it (n8n.md#parameters), with space before the bracket; one without a bracket is
 * taken for it to be safe.
 */
export const FROM_AI = /\$\s*fromai/i;

/** What a parameter says about where its value comes from; `undefined` where it stands there as it is. */
export function expressionIn(text: unknown): Expression | undefined {
  const code = typeof text === 'string' && text.startsWith('=') ? text.match(CODE) : null;
  if (!code) return undefined;
  const all = code.join(' ');
  const named = [...all.matchAll(BY_NAME)].map(([, , name = '']) => name.replace(/\\(.)/gs, '$1'));
  const words = [...all.matchAll(BY_WORD)].map(([, name = '']) => name);
  return {
    code: [...code],
    nodes: [...new Set([...named, ...words])],
    readsInput: OF_INPUT.test(all),
    fromModel: FROM_AI.test(all),
  };
}

/** Whether code only says where the value stands: no value of a person's own is in it. */
export const isPlain = (code: string): boolean => !LITERAL.test(code.replace(BY_NAME, '$').replace(IN_BRACKETS, ''));

/** A text of one line that is not too long for a sentence. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
}

/** The name of a node in a sentence: a person can have put a card number there too. */
export const nodeInWords = (name: string): string => `"${shortened(maskLongNumbers(maskCardNumbers(name)))}"`;
