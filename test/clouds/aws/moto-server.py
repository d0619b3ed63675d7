"""Starts moto with a bucket and a function, prints its address and what it has, and runs until its input ends."""

import hashlib
import io
import json
import sys
import zipfile

import boto3
from moto.core.config import default_user_config
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer

# No function runs, so that no Docker is needed.
default_user_config["lambda"]["use_docker"] = False
REGION = "eu-central-1"

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://{host}:{port}"


def client(service):
    keys = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret"}
    return boto3.client(service, region_name=REGION, endpoint_url=url, **keys)


s3 = client("s3")
s3.create_bucket(Bucket="site", CreateBucketConfiguration={"LocationConstraint": REGION})
# Enough for two pages of a list. They are excluded, so that they are not read.
content = {f"many/{number:04}": str(number) for number in range(1001)}
content |= {".kosli_ignore": "many", "a-b": "1", "a/c": "2", "odd/é + 100% & 'x'!*().txt": "3", "odd/<tag>\"quoted\"": "4", "空/日本": "5"}
# Put without requests, which would take most of the time.
objects = s3_backends["123456789012"]["aws"]
for key, text in content.items():
    objects.put_object("site", key, text.encode())
objects.put_object("site", "empty/", b"")
s3.put_bucket_tagging(
    Bucket="site", Tagging={"TagSet": [{"Key": "evidence:environment", "Value": "website"}]}
)

role = client("iam").create_role(RoleName="evidence", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
archive = io.BytesIO()
with zipfile.ZipFile(archive, "w") as files:
    files.writestr("index.py", "def handler(event, context): pass")
package = archive.getvalue()
functions = client("lambda")
for number in range(51):
    functions.create_function(
        FunctionName=f"f{number}",
        Runtime="python3.12",
        Role=role,
        Handler="index.handler",
        Code={"ZipFile": package},
    )
client("ecs").create_cluster(clusterName="shop")

facts = {"url": url, "role": role, "content": content, "zip": hashlib.sha256(package).hexdigest()}
print(json.dumps(facts), flush=True)
sys.stdin.read()
server.stop()
