import type { IDataObject } from 'n8n-workflow';

import { checkWebhook, registerWebhook } from '../../../nodes/PaymentPlatform/trigger/registration';
import { EVENT_NAMES } from '../../../sandbox/core/event-names';
import { noSuchPath, refused, reply, triggerNode, WebhookServiceFake } from './webhook-service';

let service: WebhookServiceFake;
let node: ReturnType<typeof triggerNode>;

beforeEach(() => {
  service = new WebhookServiceFake();
  node = triggerNode(service);
});
afterEach(() => void jest.useRealTimers());

const activate = async () => (await checkWebhook(node.context())) || (await registerWebhook(node.context()));
const broken = (): never => {
  throw Object.assign(new Error('socket hang up'), { cause: { code: 'ECONNRESET' } });
};
/** Settings for a different merchant, for which the node must create a new webhook. */
const ELSEWHERE = { events: ['invoice_paid'], options: { webhook_node: '7' } };
const statuses = () => service.webhooks.map(({ status }) => status);
/** Creates a webhook that has the node's label but is missing from the node's stored state. */
const leftBehind = (more: IDataObject = {}): IDataObject => {
  const { label, notification_url } = service.webhooks[0] ?? {};
  const webhook = { label, notification_url, status: 'ACTIVE', events: ['invoice_paid'], webhook_id: 90, ...more };
  service.webhooks.push(webhook);
  return webhook;
};

describe('a first activation', () => {
  test('a first activation creates one webhook with the wanted settings and stores its encrypted key', async () => {
    expect(await checkWebhook(node.context())).toBe(false);
    expect(await registerWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['POST']);
    expect(service.webhooks).toMatchObject([
      { notification_url: node.url, events: ['invoice_paid'], auth_type: 'BASIC', status: 'ACTIVE' },
    ]);
    expect(service.webhooks[0]).not.toHaveProperty('webhook_node');
    expect(node.registration()).toEqual({
      webhook_id: '1',
      sealedKey: expect.stringMatching(/^[\w-]{40,}$/) as string,
      notification_url: node.url,
      mark: expect.stringMatching(/^\(n8n [0-9a-f]{12}\)$/) as string,
      events: ['invoice_paid'],
      environment: 'test',
      account: 'https://pay.example.com/v1 1',
      credentialDigest: expect.any(String) as string,
      active: true,
      revision: expect.any(Number) as number,
    });
    expect(JSON.stringify(node.staticData)).not.toContain('the-security-key');
    expect(node.log).toEqual([]);
    expect(node.staticData).not.toHaveProperty('notices');
  });

  test('a first activation registers for a merchant and every known event if the parameters say so', async () => {
    node.parameters = { events: ['*'], customEvents: 'plan_archived', options: { webhook_node: '42' } };
    await activate();
    const events = [...EVENT_NAMES.filter((name) => name !== 'validate_url'), 'plan_archived'].sort();
    expect(service.webhooks[0]).toMatchObject({ webhook_node: '42', events });
    expect(node.registration()).toMatchObject({ webhook_node: '42', events });
  });

  test.each([
    [{ secret: 'other-name' }, true],
    [{ security_key: 'a', secret: 'b' }, true],
    [{}, false],
    [{ security_key: '' }, false],
    [{ security_key: 7 }, false],
  ])('a first activation stores a key for the response %j: %s', async (given, kept) => {
    service.given = given;
    await activate();
    expect(node.registration()?.sealedKey !== undefined).toBe(kept);
  });

  test("a first activation is refused in a time zone that doesn't exist, but an active trigger goes on", async () => {
    node.timezone = 'Foo/Bar';
    await expect(activate()).rejects.toThrow('The time zone "Foo/Bar" does not exist');
    expect(service.changes).toEqual([]);
    node.timezone = 'Europe/Berlin';
    await activate();
    node.timezone = 'Foo/Bar';
    expect(await checkWebhook(node.context())).toBe(true);
    expect(statuses()).toEqual(['ACTIVE']);
  });

  test("a first activation is refused without an address, or with one that the service can't call", async () => {
    node.url = undefined;
    await expect(activate()).rejects.toThrow('n8n has no webhook URL for this node');
    node.url = 'http://n8n.example.com/webhook/a';
    await expect(activate()).rejects.toThrow("The service can't call this n8n");
    expect(service.calls).toEqual([]);
  });

  test("a first activation reports the service's refusal and stores nothing", async () => {
    service.instead = { POST: refused };
    await expect(registerWebhook(node.context())).rejects.toThrow(/register the webhook.*Not allowed/);
    expect(service.changes).toEqual(['POST']);
    expect(node.registration()).toBeUndefined();
  });
});

describe('an unknown outcome of creating a webhook', () => {
  test('disables a webhook that was created and creates a second webhook', async () => {
    await activate();
    const first = service.webhooks[0]?.label;
    node = triggerNode(service);
    let posts = 0;
    service.instead = {
      POST: () => {
        posts += 1;
        service.instead = {};
        const { label } = service.bodies.at(-1) ?? {};
        service.webhooks.push({ webhook_id: 50, label, notification_url: node.url, status: 'ACTIVE' });
        return broken();
      },
    };
    expect(await registerWebhook(node.context())).toBe(true);
    expect(posts).toBe(1);
    expect(service.find(50).status).toBe('DISABLED');
    expect(service.find(1)).toMatchObject({ status: 'ACTIVE', label: first });
    expect(service.webhooks.at(-1)).toMatchObject({ status: 'ACTIVE' });
    expect(node.registration()).toMatchObject({ webhook_id: `${Number(service.webhooks.at(-1)?.webhook_id)}` });
  });

  test("names the label to search for if webhooks can't be listed", async () => {
    service.instead = { POST: broken, GET: refused };
    const error = (await registerWebhook(node.context()).catch((thrown: unknown) => thrown)) as { description: string };
    expect(error.description).toMatch(
      /The service may have created a webhook anyway, with the label "Paid invoices \(n8n [0-9a-f]{12}\)"\./,
    );
    expect(service.changes).toEqual(['POST']);
  });

  test('keeps a replaced webhook that still delivers', async () => {
    await activate();
    node.parameters = ELSEWHERE;
    await registerWebhook(node.context());
    service.calls = [];
    service.instead = {
      POST: () => {
        service.instead = {};
        return broken();
      },
    };
    expect(await registerWebhook(node.context())).toBe(true);
    expect(service.find(1).status).toBe('ACTIVE');
    expect(service.changes.filter((call) => call === 'PUT /1/disable')).toEqual([]);
  });

  test("creates no second webhook if the first webhook can't be disabled", async () => {
    await activate();
    leftBehind();
    service.instead = { POST: broken, 'PUT /90/disable': refused };
    const error = (await registerWebhook(node.context()).catch((thrown: unknown) => thrown)) as { description: string };
    expect(error.description).toContain('The service may have created a webhook anyway');
    expect(service.changes.filter((call) => call === 'POST')).toHaveLength(2);
    expect(statuses()).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test.each([{}, { webhook_id: 'abc' }, { webhook_id: 1.5 }])(
    'searches for the webhook if the response %j contains no ID',
    async (data) => {
      let posts = 0;
      service.instead = {
        POST: () => {
          posts += 1;
          if (posts === 2) service.instead = {};
          return reply({ code: 0, message: 'Success', data });
        },
      };
      await expect(registerWebhook(node.context())).rejects.toThrow('register the webhook');
      expect(posts).toBe(2);
    },
  );

  test('searches for the webhook if the response contains no record', async () => {
    service.instead = { POST: () => reply({ code: 0, message: 'Success', data: [1] }) };
    await expect(registerWebhook(node.context())).rejects.toThrow('register the webhook');
  });
});

describe('a later activation', () => {
  beforeEach(async () => {
    await activate();
    service.calls = [];
  });

  test('changes nothing if the webhook has the wanted settings', async () => {
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual([]);
    expect(node.staticData).not.toHaveProperty('notices');
    expect(node.log).toEqual([]);
  });

  test('repairs differences and enables an inactive webhook', async () => {
    Object.assign(service.find(1), { label: `Other ${node.registration()?.mark as string}`, status: 'DISABLED' });
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['PUT /1', 'PUT /1/enable']);
    expect(service.find(1)).toMatchObject({ status: 'ACTIVE', label: expect.stringMatching(/^Paid/) as string });
  });

  test.each(['SUSPENDED', 'DISABLED'])('reports that a webhook was %s at the service', async (status) => {
    service.find(1).status = status;
    await checkWebhook(node.context());
    expect(node.staticData.notices).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Webhook 1 had the status ${status} until the trigger switched it on again at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d [A-Z]\\S+\\. Check the service`,
        ),
      ),
    ]);
    await checkWebhook(node.context());
    expect(node.staticData).not.toHaveProperty('notices');
  });

  test("doesn't mention a webhook that the node disabled, unless the service suspended it", async () => {
    node.store({ active: false });
    service.find(1).status = 'DISABLED';
    expect(await checkWebhook(node.context())).toBe(true);
    expect(node.staticData).not.toHaveProperty('notices');
    node.store({ active: false });
    service.find(1).status = 'SUSPENDED';
    await checkWebhook(node.context());
    expect(node.staticData.notices).toHaveLength(1);
  });

  test('creates a webhook if the stored one is missing, differs or has another address', async () => {
    const [webhook = {}] = service.webhooks;
    for (const webhooks of [
      [],
      [{ ...webhook, webhook_id: 2 }],
      [{ ...webhook, label: 'Made by a person' }],
      [{ ...webhook, notification_url: 'https://elsewhere.example.com' }],
    ]) {
      service.webhooks = webhooks;
      expect(await checkWebhook(node.context())).toBe(false);
    }
    service.webhooks = [{ ...webhook, webhook_id: '1' }];
    expect(await checkWebhook(node.context())).toBe(true);
  });

  test('creates a webhook for a new account', async () => {
    node.credential = { ...node.credential, merchantId: '2' };
    expect(await checkWebhook(node.context())).toBe(false);
  });

  test('creates a webhook if its merchant must change', async () => {
    node.parameters = { events: ['invoice_paid'], options: { webhook_node: '7' } };
    expect(await checkWebhook(node.context())).toBe(false);
    expect(service.changes).toEqual([]);
    node.parameters = { events: ['invoice_paid', 'dispute_update'] };
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['PUT /1']);
    expect(node.registration()).toMatchObject({ events: ['dispute_update', 'invoice_paid'] });
  });

  test.each([undefined, []])('names all events of a webhook that was created without events (%j)', async (events) => {
    service.find(1).events = events;
    node.store({ events: undefined });
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['PUT /1']);
    expect(service.find(1).events).toEqual(['invoice_paid']);
  });

  test('replaces some events with all known ones', async () => {
    node.parameters = { events: ['*'] };
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['PUT /1']);
    expect(service.find(1).events).toHaveLength(EVENT_NAMES.length - 1);
  });

  test.each([
    [2, true],
    [3, false],
    [4, false],
  ])('keeps the webhook after %d consecutive wrong signatures: %s', async (mismatches, kept) => {
    node.store({ mismatches });
    expect(await checkWebhook(node.context())).toBe(kept);
  });

  test("keeps a webhook without a key and replaces a webhook whose key can't be decrypted", async () => {
    node.store({ sealedKey: 'not-sealed-by-this-node' });
    expect(await checkWebhook(node.context())).toBe(false);
    node.store({ sealedKey: undefined });
    expect(await checkWebhook(node.context())).toBe(true);
    expect(node.registration()).not.toHaveProperty('sealedKey');
  });

  test('sets a new password and encrypts the key again after the API key changed', async () => {
    const { sealedKey, credentialDigest } = node.registration() ?? {};
    await checkWebhook(node.context());
    expect(node.registration()?.sealedKey).toBe(sealedKey);
    node.credential = { ...node.credential, apiKey: 'another-key' };
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['PUT /1']);
    expect(node.registration()?.credentialDigest).not.toBe(credentialDigest);
    const resealed = node.registration()?.sealedKey;
    expect(resealed).not.toBe(sealedKey);
    expect(resealed).toMatch(/^[\w-]{40,}$/);
    expect(JSON.stringify(node.staticData)).not.toContain('the-security-key');
    await checkWebhook(node.context());
    expect(node.registration()?.sealedKey).toBe(resealed);
  });

  test.each(['PUT /1', 'PUT /1/enable'])("creates a webhook if the service doesn't know the path %s", async (path) => {
    Object.assign(service.find(1), { label: `Other ${node.registration()?.mark as string}`, status: 'DISABLED' });
    service.instead = { [path]: noSuchPath };
    expect(await checkWebhook(node.context())).toBe(false);
  });

  test("reports the service's refusal of a repair", async () => {
    service.find(1).status = 'DISABLED';
    service.instead = { 'PUT /1/enable': refused };
    await expect(checkWebhook(node.context())).rejects.toThrow(/change the webhook.*Not allowed/);
  });

  test('reports a refused list instead of treating it as an unknown path', async () => {
    service.instead = { GET: refused };
    await expect(checkWebhook(node.context())).rejects.toThrow(/list its webhooks.*Not allowed/);
    expect(node.staticData).not.toHaveProperty('management');
  });

  test('disables only webhooks that the node created and no longer uses', async () => {
    leftBehind();
    leftBehind({ webhook_id: 91, status: 'DISABLED' });
    leftBehind({ webhook_id: 92, label: 'Made by a person' });
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['PUT /90/disable']);
  });

  describe('a node with a webhook at another address', () => {
    const text =
      /^Webhook 90 of this node also exists at another address: https:\/\/old\.example\.com\. The address belongs to a clone/;
    beforeEach(() => void leftBehind({ notification_url: 'https://old.example.com' }));

    test('names a webhook at another address and leaves it unchanged', async () => {
      await checkWebhook(node.context());
      expect(service.changes).toEqual([]);
      expect(node.staticData.notices).toEqual([expect.stringMatching(text)]);
      expect(node.log).toEqual([
        expect.stringMatching(/^warn .*Webhook 90 of this node also exists at another address/),
      ]);
    });

    test('disables a webhook at another address if the user chose this, and names the webhook if that fails', async () => {
      node.parameters = { ...node.parameters, options: { switchOffElsewhere: true } };
      service.instead = { 'PUT /90/disable': refused };
      await checkWebhook(node.context());
      expect(node.staticData.notices).toEqual([expect.stringMatching(text)]);
      service.instead = {};
      await checkWebhook(node.context());
      expect(service.find(90).status).toBe('DISABLED');
      expect(node.staticData).not.toHaveProperty('notices');
    });
  });

  test('names the webhook of the previously used account', async () => {
    node.credential = { ...node.credential, merchantId: '2' };
    service.webhooks = [];
    expect(await activate()).toBe(true);
    expect(node.staticData.notices).toEqual([expect.stringMatching(/^Webhook 1 of the previous account \(test\)/)]);
  });
});

describe('an invalid credential', () => {
  beforeEach(async () => {
    await activate();
    service.calls = [];
    node.credential = { ...node.credential, baseUrl: '' };
  });

  test('fails an activation with the reason', async () => {
    await expect(checkWebhook(node.context())).rejects.toThrow('the Base URL is not a URL');
  });

  test('leaves the webhook unchanged and logs the reason when n8n starts', async () => {
    node.activation = 'init';
    expect(await checkWebhook(node.context())).toBe(true);
    expect(node.log).toEqual([
      expect.stringMatching(/^error .*could not check the webhook when n8n started: .*the Base URL is not a URL/),
    ]);
    expect(service.calls).toEqual([]);
  });

  test('fails with the reason if n8n starts at another address', async () => {
    node.activation = 'init';
    node.url = 'https://n8n.example.com/webhook/b';
    await expect(checkWebhook(node.context())).rejects.toThrow('the Base URL is not a URL');
  });
});

describe('a replaced webhook', () => {
  const hour = 60 * 60 * 1000;
  beforeEach(async () => {
    await activate();
    node.parameters = ELSEWHERE;
    service.calls = [];
  });

  test('a replaced webhook gets no new events, delivers the remaining ones for an hour and is then disabled', async () => {
    expect(await registerWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['POST', 'PUT /1']);
    expect(service.find(1)).toMatchObject({ events: ['validate_url'], status: 'ACTIVE' });
    expect(node.registration()).toMatchObject({ webhook_id: '2' });
    expect(await checkWebhook(node.context())).toBe(true);
    jest.useFakeTimers({ now: Date.now() + hour - 60_000, doNotFake: ['nextTick', 'setImmediate'] });
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['POST', 'PUT /1']);
    jest.setSystemTime(Date.now() + 120_000);
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual(['POST', 'PUT /1', 'PUT /1/disable']);
  });

  test('a replaced webhook is the only webhook that changes', async () => {
    leftBehind({ webhook_id: 0, events: ['validate_url'] });
    service.webhooks.reverse();
    await registerWebhook(node.context());
    expect(service.changes).toEqual(['POST', 'PUT /1', 'PUT /0/disable']);
    await registerWebhook(node.context());
    expect(service.find(1).status).toBe('ACTIVE');
  });

  test('a replaced webhook is no longer searched for if the service has lost it', async () => {
    await registerWebhook(node.context());
    service.webhooks = service.webhooks.filter(({ webhook_id }) => webhook_id !== 1);
    service.calls = [];
    expect(await checkWebhook(node.context())).toBe(true);
    expect(service.changes).toEqual([]);
  });

  test('a replaced webhook stays unchanged if the service has disabled it', async () => {
    service.find(1).status = 'DISABLED';
    await registerWebhook(node.context());
    expect(service.changes).toEqual(['POST']);
  });

  test("a replaced webhook is disabled at once if its deliveries can't be verified or weren't wanted", async () => {
    for (const changes of [{ mismatches: 3 }, { active: false }]) {
      service.webhooks = [];
      node = triggerNode(service);
      await activate();
      const id = Number(node.registration()?.webhook_id);
      node.store(changes);
      node.parameters = ELSEWHERE;
      service.calls = [];
      await registerWebhook(node.context());
      expect(service.changes).toEqual(['POST', `PUT /${id}/disable`]);
    }
  });

  test("a replaced webhook stays unchanged while the new one's outcome is unknown", async () => {
    let posts = 0;
    service.instead = {
      POST: () => {
        posts += 1;
        service.instead = {};
        return broken();
      },
    };
    expect(await registerWebhook(node.context())).toBe(true);
    expect(posts).toBe(1);
    expect(service.changes).toEqual(['POST', 'POST', 'PUT /1']);
  });
});

describe("an account that can't list or change webhooks", () => {
  beforeEach(async () => {
    service.instead = { GET: noSuchPath, PUT: noSuchPath };
    await activate();
    service.calls = [];
    node.log = [];
  });

  test("uses the stored state with a notice if webhooks can't be listed", async () => {
    expect(await checkWebhook(node.context())).toBe(true);
    expect(node.staticData.management).toBe('unavailable');
    expect(node.log).toEqual([expect.stringMatching(/^warn .*This account can't list, change or disable webhooks\./)]);
    expect(service.changes).toEqual([]);
  });

  test('creates a webhook if the wanted settings differ from the stored settings', async () => {
    const { parameters, credential } = node;
    node.parameters = { events: ['dispute_update'] };
    expect(await checkWebhook(node.context())).toBe(false);
    node.parameters = { events: ['invoice_paid'], options: { webhook_node: '7' } };
    expect(await checkWebhook(node.context())).toBe(false);
    node.parameters = parameters;
    node.credential = { ...credential, apiKey: 'another-key' };
    expect(await checkWebhook(node.context())).toBe(false);
    node.credential = credential;
    node.url = 'https://n8n.example.com/webhook/b';
    expect(await checkWebhook(node.context())).toBe(false);
    node.url = 'https://n8n.example.com/webhook/a';
    expect(await checkWebhook(node.context())).toBe(true);
  });

  test('keeps the replaced webhook beside the new one until it can list webhooks again', async () => {
    node.parameters = { events: ['dispute_update'] };
    expect(await activate()).toBe(true);
    expect(service.changes).toEqual(['POST']);
    service.instead = {};
    expect(await checkWebhook(node.context())).toBe(true);
    expect(node.staticData).not.toHaveProperty('management');
  });

  test('names the webhook of the previous account', async () => {
    node.credential = { ...node.credential, merchantId: '2' };
    expect(await activate()).toBe(true);
    await checkWebhook(node.context());
    expect(node.staticData.notices).toEqual([expect.stringMatching(/^Webhook 1 of the previous account \(test\)/)]);
  });
});
