/**
 * Writes a CPU profile to the folder PROFILE. n8n preloads this script. The first SIGUSR2 starts the profile, and the
 * second ends it.
 */
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');

let session;
let written = 0;

process.on('SIGUSR2', () => {
  if (!session) {
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: 200 });
    session.post('Profiler.start');
    return;
  }
  session.post('Profiler.stop', (error, { profile }) => {
    if (error) throw error;
    written += 1;
    writeFileSync(join(process.env.PROFILE, `${written}.cpuprofile`), JSON.stringify(profile));
  });
  session.disconnect();
  session = undefined;
});
