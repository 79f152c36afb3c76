import * as ts from 'typescript';

import { readSources, walk } from '../../../docs/generate/read-texts';
import { toolAnswer } from '../../../nodes/PaymentPlatform/output/tool-answer';

/** Matches all words with which a text can tell or allow its reader to repeat a call. */
const ABOUT_REPEATING =
  /\b(?:again|re-?try|retries|repeat\w*|re-?run|re-?send|once more|one more time|safe(?:ly)?|harmless)\b|\btoo[,.]|\b(?:run|try|send) (?:it|this|the)\b/i;

/** Properties for the editor. A response to a model never contains their texts. */
const OF_EDITOR = ['displayName', 'description', 'hint', 'placeholder', 'name', 'action', 'allowEqual'];
const OTHER_CODE = /\/(?:panel|search|trigger|wire)\/|output-items|test-credential|guard-parameters|write-keys/;

/** The texts in this file reach a model unchanged, because the node's other code may be missing. */
const UNCHANGED = '/load.ts';

/** Returns all sentences about repeating that can reach a model, and whether the node checks each before. */
function sentencesAboutRepeating(): Map<string, boolean> {
  const sentences = new Map<string, boolean>();
  for (const { path, file } of readSources(['nodes']).values())
    if (!OTHER_CODE.test(path))
      walk(file, (node) => {
        const name = ts.isPropertyAssignment(node.parent ?? node) ? node.parent.getChildAt(0).getText(file) : '';
        const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
        if (!isText || (OF_EDITOR.includes(name) && !path.endsWith(UNCHANGED))) return;
        const text = ts.isTemplateExpression(node) ? node.getText(file).slice(1, -1) : node.text;
        for (const sentence of text.replace(/\$\{[^}]*\}/g, '…').split(/(?<=[.!?])\s+(?=[A-Z"…])/))
          if (ABOUT_REPEATING.test(sentence) && / /.test(sentence))
            sentences.set(sentence, sentences.get(sentence) !== false && !path.endsWith(UNCHANGED));
      });
  return sentences;
}

/** Sentences that a model can read. Add only warnings, statements and advice that doesn't repeat a call. */
const READ_BY_MODELS = [
  "According to n8n's database, an earlier attempt started to send this item, but n8n did not save a response.",
  'An earlier attempt sent this item with an unknown outcome, so the item was not sent again',
  'Cards, addresses and subscriptions are deleted too.',
  'Charged … again',
  'Creating the subscription again would charge the customer twice.',
  'Disabling the same webhook again has no further effect.',
  'Do not call again now.',
  'Do not call again with the same values.',
  'Do not call again.',
  'Do not charge again before you check the transaction.',
  'Do not charge again before you look up the transaction.',
  'Do not charge the full amount again.',
  'Do not charge this card again.',
  'Do not retry this payment with this card.',
  'Do not send it again before you look up the record.',
  'Do not send the request again before you look up the record.',
  'Do not send this request again before you read the record with a GET request.',
  'Enabling the same webhook again has no further effect.',
  'If it is still a draft, send it with Invoice > Send.',
  'If the batch was closed, closing again affects only transactions that were captured later.',
  'If you add the address again, the service may save a duplicate.',
  'If you create the customer again, the service may save a duplicate.',
  'If you create the payee again, the service may save a duplicate.',
  'If you tokenize again, the card may be saved twice.',
  'Only a person can allow the same payment again, in the settings of this tool.',
  'Repeating the same update has no further effect.',
  'Sent invoice … again by email to ….',
  'Setting the same address again has no further effect.',
  'Setting the same card again has no further effect.',
  'Setting the same value again has no further effect.',
  'Subscription …… was resumed, but is suspended again.',
  'The gateway names only the first field that is too long, so check the other fields too.',
  'The item was not sent again',
  'The item was not sent again.',
  "The node can't look up that attempt, so the item was not sent again",
  "The node can't look up the earlier attempt, so it did not send the payment again.",
  'The node did not send the request',
  'The payment is approved, so do not charge again.',
  'The record of the earlier attempt may exist, so the node did not send the item again.',
  'The request was not sent again.',
  "This transaction was not a successful payment, so its card can't be charged again",
  'To send the invoice to another person, use Invoice > Resend.',
  'To send this request anyway, a person can …',
  'e.g. https://shop.example.com/retry',
  "n8n didn't save the data of the stopped execution. n8n's database shows that the stopped execution or an earlier execution already sent a matching item, so this item was not sent again",
  'the option "Longest Retry Time" allows only …',
  '… Do not call again.',
  '… changed after that attempt, so the item was not sent again',
  '…, but did not send it',
];

test('a model reads no text that tells or allows it to repeat a call', () => {
  const read = [...sentencesAboutRepeating()].filter(([sentence, isChecked]) => {
    const { result } = toolAnswer({ outcome: 'notSent', message: '', advice: sentence });
    return !isChecked || (typeof result === 'string' && result.includes(sentence));
  });
  expect(read.map(([sentence]) => sentence).sort()).toEqual([...READ_BY_MODELS].sort());
});

test('the check finds the texts that the node removes', () => {
  expect([...sentencesAboutRepeating().keys()]).toEqual(
    expect.arrayContaining([
      'Save the workflow and run it again.',
      'Running the item again is safe, because the service refuses an expired card ID.',
    ]),
  );
});
