import { objectStoreLocation } from '../../../db/platform/object-location';

describe('objectStoreLocation', () => {
  it.each([
    ['file:///var/lib/objects', { kind: 'folder', folder: '/var/lib/objects' }],
    ['file:///var/lib/my%20objects/', { kind: 'folder', folder: '/var/lib/my objects' }],
    ['/var/lib/objects', { kind: 'folder', folder: '/var/lib/objects' }],
    [
      's3://recordings?region=eu-central-1',
      { kind: 's3', bucket: 'recordings', region: 'eu-central-1', endpoint: undefined },
    ],
    [
      's3://recordings/?region=auto&endpoint=https://objects.example.com',
      { kind: 's3', bucket: 'recordings', region: 'auto', endpoint: 'https://objects.example.com' },
    ],
  ])('accepts %s', (value, location) => expect(objectStoreLocation.parse(value)).toEqual(location));

  it.each([
    '',
    'objects',
    './objects',
    'file://host/objects',
    'file:///a%2fb',
    'file:///objects?region=eu-central-1',
    's3://recordings',
    's3://recordings?region=',
    's3://recordings?region=a.example.com/',
    's3://Recordings?region=eu-central-1',
    's3://recordings/folder?region=eu-central-1',
    's3://key:hush@recordings?region=eu-central-1',
    's3://recordings?region=eu-central-1&endpiont=https://objects.example.com',
    's3://recordings?region=eu-central-1&endpoint=objects.example.com',
    's3://recordings?region=eu-central-1&endpoint=https://objects.example.com/path',
    's3://recordings?region=eu-central-1&endpoint=https://key:hush@objects.example.com',
    'https://recordings.s3.amazonaws.com',
  ])('rejects %j', (value) => {
    expect(objectStoreLocation.safeParse(value).error?.issues).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^must be file:\/\/\/folder or s3:\/\//) }),
    ]);
  });
});
